export namespace app {
	
	export interface AuditFault {
	    where: string;
	    what: string;
	}
	export interface BakeoffLine {
	    id: string;
	    state: string;
	    detail: string;
	    created_ms: number;
	    updated_ms: number;
	    models: string[];
	    baseline: string;
	    role: string;
	    questions: number;
	    trials: number;
	    done: number;
	    holder?: string;
	    live: boolean;
	    step?: desk.BakeoffTick;
	}
	export interface BakeoffPage {
	    line: BakeoffLine;
	    request: desk.BakeoffRequest;
	    models: bakeoff.Candidate[];
	    rows: desk.BakeoffRow[];
	    verdicts: desk.VerdictLine[];
	    folder: string;
	}
	export interface BakeoffQuery {
	    models: string[];
	    baseline: string;
	    role: string;
	    questions: string[];
	    libraries: string[];
	    runs: number;
	    depth: string;
	    num_ctx: number;
	    kv_type: string;
	}
	export interface Device {
	    name: string;
	    total: number;
	    used: number;
	}
	export interface FitCell {
	    context: number;
	    kv: string;
	    needs_bytes: number;
	    left_bytes: number;
	    over_bytes: number;
	    fit: string;
	    bound: boolean;
	}
	export interface FitRow {
	    model: string;
	    cells: FitCell[];
	    fault: string;
	}
	export interface FitTable {
	    contexts: number[];
	    kv: string;
	    card: boolean;
	    free_bytes?: number;
	    reserve_bytes: number;
	    rows: FitRow[];
	    planned_model: string;
	    planned_context: number;
	}
	export interface FitWords {
	    fit: string;
	    text: string;
	}
	export interface FoundPassage {
	    title: string;
	    location: string;
	    place: string;
	    text: string;
	    start: number;
	    end: number;
	}
	export interface Found {
	    hits: FoundPassage[];
	    took_ms: number;
	    places: number;
	    how: string;
	}
	
	export interface HardwareView {
	    look: gpu.Sample;
	    past: gpu.Point[];
	    every_ms: number;
	    recording: string;
	}
	export interface KeptPage {
	    title: string;
	    location: string;
	    media_type: string;
	    lang: string;
	    before: string;
	    passage: string;
	    after: string;
	    start: number;
	    end: number;
	    total: number;
	    cut_before: boolean;
	    cut_after: boolean;
	}
	export interface LoadLook {
	    text: string;
	    checked: boolean;
	    close: boolean;
	}
	export interface Machine {
	    version: string;
	    home: string;
	    at_ms: number;
	    mem_total: number;
	    mem_used: number;
	    devices: Device[];
	    gpu_note: string;
	    channel: string;
	    model: string;
	    why: string;
	}
	export interface MemoryShare {
	    kind: string;
	    bytes: number;
	    host: boolean;
	    bound: boolean;
	    why: string;
	}
	export interface ModelFacts {
	    name: string;
	    architecture: string;
	    layers: number;
	    experts: number;
	    context: number;
	    kv: string;
	    card: boolean;
	    parts: MemoryShare[];
	    predicted_bytes: number;
	    measured?: LoadLook;
	    notes: string[];
	    table: FitCell[];
	    verdicts: desk.VerdictLine[];
	}
	export interface ModelJob {
	    name: string;
	    phase: string;
	    done: number;
	    total: number;
	    per_second?: number;
	    left_ms?: number;
	    tries: number;
	    error?: string;
	    kind: string;
	    over: boolean;
	    asked: string;
	    host: string;
	}
	export interface ModelRow {
	    name: string;
	    digest: string;
	    size: number;
	    family: string;
	    parameters: string;
	    quantization: string;
	    context_length: number;
	    capabilities: string[];
	    embeds: boolean;
	    remote: string;
	    modified_ms: number;
	    running?: ollama.Running;
	}
	export interface ModelShelf {
	    server: string;
	    version: string;
	    bytes: number;
	    models: ModelRow[];
	    loaded_known: boolean;
	}
	export interface UnreadFile {
	    path: string;
	    why: string;
	}
	export interface Place {
	    name: string;
	    dir: string;
	    files: number;
	    done: number;
	    total: number;
	    state: string;
	    detail: string;
	    unread: UnreadFile[];
	    watch: string;
	    why: string;
	    last: string;
	    last_ms: number;
	}
	export interface PlanView {
	    decision: gpu.Decision;
	    server: string;
	    known: boolean;
	    rule: string;
	    aside: string[];
	    better: string;
	    measured: string;
	    later: string;
	    reserve_bytes: number;
	    chosen: boolean;
	    shares: {[key: string]: MemoryShare[]};
	    look?: LoadLook;
	}
	export interface Question {
	    text: string;
	    depth: string;
	    lang: string;
	    shape: string;
	    template: string;
	    model: string;
	    about: string;
	    offline: boolean;
	    web: boolean;
	    allow_partial: boolean;
	    review: boolean;
	    libraries: string[];
	    attach: string[];
	}
	export interface QueueRow {
	    id: string;
	    title: string;
	    model: string;
	    depth: string;
	    state: string;
	    waits: boolean;
	    here: boolean;
	    priority: number;
	    worker: string;
	    detail: string;
	    added_ms: number;
	    ended_ms: number;
	}
	export interface QueueView {
	    rows: QueueRow[];
	    window: boolean;
	    models: number;
	    library: number;
	    fault: string;
	}
	export interface Recomputed {
	    checked: number;
	    took_ms: number;
	    faults: AuditFault[];
	}
	export interface StruckSource {
	    id: string;
	    title: string;
	    location: string;
	    voice: string;
	}
	export interface Restated {
	    struck: StruckSource[];
	    findings: number;
	    took_ms: number;
	}
	export interface RunEvent {
	    seq: number;
	    kind: string;
	    at_ms: number;
	    took_ms: number;
	    payload: string;
	}
	export interface RunRow {
	    id: string;
	    title: string;
	    question: string;
	    state: string;
	    detail: string;
	    created_ms: number;
	    updated_ms: number;
	    model: string;
	    asked: string;
	    depth: string;
	    findings: number;
	    sources: number;
	    project?: string;
	    schema: number;
	    code: string;
	    holder?: string;
	    // Go type: research
	    place: any;
	    live: boolean;
	}
	export interface RunEvents {
	    id: string;
	    after: number;
	    last: number;
	    info: RunRow;
	    events: RunEvent[];
	    notice?: desk.Notice;
	    plan?: desk.PlanAsked;
	}
	
	export interface ServerSettings {
	    on: boolean;
	    flash_attention: string;
	    kv_type: string;
	    parallel: number;
	    binary: string;
	}
	export interface ServerView {
	    status: desk.ServerStatus;
	    settings: ServerSettings;
	}
	

}

export namespace bakeoff {
	
	export interface Candidate {
	    model: string;
	    digest: string;
	    quantization: string;
	    parameters: string;
	    size_bytes?: number;
	    context_length?: number;
	}
	export interface Reason {
	    rule: number;
	    text: string;
	}
	export interface Verdict {
	    candidate: Candidate;
	    baseline: Candidate;
	    role: string;
	    outcome: string;
	    backend: string;
	    version: string;
	    num_ctx?: number;
	    reasons: Reason[];
	    labels: string[];
	    unchecked: string[];
	    trials: string[];
	    passed: number;
	    failed: number;
	}
	export interface Entry {
	    id: string;
	    at: string;
	    bakeoff: string;
	    verdict?: Verdict;
	    supersedes?: string;
	    retest?: string;
	    reason?: string;
	    removed?: boolean;
	    prev: string;
	}
	export interface Exchange {
	    method: string;
	    path: string;
	    status: number;
	    sent: string;
	    got: string;
	}
	export interface Proof {
	    at: string;
	    asked_context: number;
	    held_context?: number;
	    asked_thinking: string;
	    thinking?: boolean;
	    thinking_in_text?: boolean;
	    schema_kept?: boolean;
	    prompt_eval_count?: number;
	    size_bytes?: number;
	    size_vram_bytes?: number;
	    fault: string;
	    memory: boolean;
	    attempts: number;
	    exchanges: Exchange[];
	}
	
	export interface Scores {
	    findings: number;
	    grounded: number;
	    faults: number;
	    facets: number;
	    answered: number;
	    tasks: number;
	    calls: number;
	    unreadable: number;
	    replaced: number;
	    broken: number;
	    prompt_tokens: number;
	    answer_tokens: number;
	    busy_ms: number;
	    wall_ms: number;
	    marks?: {[key: string]: number};
	}

}

export namespace desk {
	
	export interface BakeoffQuestion {
	    id: string;
	    question: string;
	    lang: string;
	    libraries: string[];
	    label?: string;
	}
	export interface BakeoffRequest {
	    models: string[];
	    baseline: string;
	    role: string;
	    questions: BakeoffQuestion[];
	    libraries: string[];
	    runs: number;
	    depth: string;
	    num_ctx: number;
	    kv_type: string;
	    now: string;
	    seed: number;
	}
	export interface BakeoffRow {
	    trial: string;
	    model: string;
	    role: string;
	    reference: boolean;
	    run: number;
	    done: boolean;
	    unproven: string[];
	    total: bakeoff.Scores;
	    grounded?: number;
	    answered?: number;
	    unusable?: number;
	    points?: number;
	    tokens_per_second?: number;
	    size_vram_bytes?: number;
	    size_bytes?: number;
	    num_ctx?: number;
	    version: string;
	    pass?: boolean;
	    why: string[];
	    notes: string[];
	}
	export interface BakeoffTick {
	    id: string;
	    step: string;
	    model: string;
	    run: number;
	    trial: number;
	    trials: number;
	    question: number;
	    total: number;
	}
	export interface VerdictLine {
	    entry: bakeoff.Entry;
	    hash: string;
	    standing: boolean;
	    superseded_by: string;
	    retest: string;
	    reason: string;
	    elsewhere: string;
	    removed_at: string;
	}
	export interface Changelog {
	    lines: VerdictLine[];
	    fault: string;
	    lost: string[];
	    backend: string;
	    version: string;
	}
	export interface LibrarySettings {
	    watch?: string;
	    meaning?: string;
	}
	export interface ManagedServer {
	    state: string;
	    url: string;
	    pid: number;
	    binary: string;
	    version: string;
	    since_ms: number;
	    restarts: number;
	    why?: string;
	    tuned: string[];
	    log_file?: string;
	    holder: string;
	    mine: boolean;
	}
	export interface Notice {
	    kind: string;
	    text: string;
	    do: string;
	    bytes?: number;
	    choices: string[];
	    choice: string;
	    since_ms: number;
	    until_ms: number;
	}
	export interface OtherServer {
	    url: string;
	    version: string;
	}
	export interface PlanAsked {
	    question: string;
	    facets: research.Facet[];
	    hypotheses: research.Hypothesis[];
	    plan: research.Plan;
	    preview?: research.Preview;
	    until_ms: number;
	}
	export interface ServerLog {
	    file: string;
	    lines: string[];
	    said: ollama.Log;
	}
	export interface ServerStatus {
	    managed?: ManagedServer;
	    others: OtherServer[];
	    on: boolean;
	    in_use?: string;
	    asked: string;
	    asked_fault?: string;
	    binary?: string;
	    binary_fault?: string;
	}

}

export namespace gpu {
	
	export interface Alarm {
	    kind: string;
	    text: string;
	    do: string;
	    bytes?: number;
	}
	export interface Condition {
	    kind: string;
	    gpu: number;
	    text: string;
	}
	export interface Need {
	    role: string;
	    optional: boolean;
	    min_context: number;
	    context: number;
	    parallel: number;
	    capabilities: string[];
	}
	export interface Load {
	    context: number;
	    parallel: number;
	    batch: number;
	    kv: string;
	    k?: string;
	    v?: string;
	    flash: string;
	    version: string;
	    backend: string;
	    devices: number;
	    offload?: number;
	    physical?: number;
	    unified?: boolean;
	    latent?: string;
	    windowed?: string;
	}
	export interface Part {
	    kind: string;
	    bytes: number;
	    host: boolean;
	    bound: boolean;
	    why: string;
	}
	export interface Estimate {
	    parts: Part[];
	    load: Load;
	    generation: number;
	    margin: number;
	    margin_why: string;
	    notes: string[];
	    missing: string[];
	}
	export interface Option {
	    model: string;
	    installed: boolean;
	    context: number;
	    kv: string;
	    parallel: number;
	    batch: number;
	    roles: string[];
	    devices: number[];
	    estimate: Estimate;
	    needs_bytes: number;
	    left_bytes: number;
	    over_bytes: number;
	    fit: string;
	    chosen: boolean;
	    why: string;
	}
	export interface Decision {
	    options: Option[];
	    refusal: string;
	    unserved: Need[];
	    unload: string[];
	    why: string[];
	    next: string;
	    alternatives: Option[];
	    overridden: string[];
	}
	
	export interface Slice {
	    device: number;
	    memory_total_bytes?: number;
	    memory_used_bytes?: number;
	}
	export interface GPU {
	    index: number;
	    name: string;
	    vendor?: string;
	    uuid?: string;
	    bus?: string;
	    driver?: string;
	    memory_total_bytes?: number;
	    memory_used_bytes?: number;
	    memory_free_bytes?: number;
	    memory_reserved_bytes?: number;
	    memory_at_least_bytes?: number;
	    usable_bytes?: number;
	    shared?: boolean;
	    slices?: Slice[];
	    busy_percent?: number;
	    temperature_celsius?: number;
	    power_milliwatts?: number;
	    state?: string;
	    asleep?: boolean;
	    may_sleep?: boolean;
	}
	export interface Holder {
	    kind: string;
	    name: string;
	    memory_bytes?: number;
	}
	
	export interface Loaded {
	    name: string;
	    size_bytes: number;
	    size_vram_bytes: number;
	}
	
	
	
	export interface Point {
	    at_ms: number;
	    used_bytes?: number;
	    usable_bytes?: number;
	    models_bytes: number;
	    busy_percent?: number;
	}
	export interface Process {
	    pid: number;
	    name: string;
	    memory_bytes?: number;
	    gpu?: string;
	}
	export interface Status {
	    memory_total_bytes?: number;
	    memory_free_bytes?: number;
	    gpus: GPU[];
	    processes: Process[];
	    kind: string;
	    conditions: Condition[];
	    note: string;
	}
	export interface Sample {
	    at_ms: number;
	    status: Status;
	    models: Loaded[];
	    server: string;
	    holders: Holder[];
	    alarms: Alarm[];
	}
	

}

export namespace ollama {
	
	export interface LogCache {
	    cells: number;
	    layers: number;
	    bytes: number;
	    k_type: string;
	    v_type: string;
	}
	export interface LogPart {
	    kind: string;
	    device: string;
	    bytes: number;
	    exact: boolean;
	}
	export interface LogLoad {
	    model: string;
	    cells?: number;
	    parallel?: number;
	    batch?: number;
	    micro_batch?: number;
	    kv_type?: string;
	    flash_attention?: string;
	    layers?: number;
	    offloaded?: number;
	    required?: number;
	    parts: LogPart[];
	    caches: LogCache[];
	}
	export interface LogDevice {
	    id: string;
	    library: string;
	    name: string;
	    description: string;
	    kind: string;
	    total?: number;
	    available?: number;
	}
	export interface Log {
	    version?: string;
	    config?: {[key: string]: string};
	    default_num_ctx?: number;
	    total_vram?: number;
	    devices: LogDevice[];
	    loads: LogLoad[];
	    warnings: string[];
	}
	
	
	
	
	export interface Running {
	    name: string;
	    digest: string;
	    size: number;
	    size_vram: number;
	    context_length: number;
	    expires_ms: number;
	}

}

export namespace research {
	
	export interface ArgumentAnswer {
	    text: string;
	    findings: string[];
	    why: string;
	}
	export interface ArgumentPoint {
	    text: string;
	    findings: string[];
	    answers: ArgumentAnswer[];
	}
	export interface Argument {
	    proposition: string;
	    by: string;
	    points: ArgumentPoint[];
	    beside: ArgumentPoint[];
	    note: string;
	}
	
	
	export interface Asked {
	    name: string;
	    host: string;
	    query: string;
	    angle?: string;
	}
	export interface Budget {
	    search_depth: number;
	    tasks: number;
	    gap_rounds: number;
	    queries_per_gap: number;
	    sources: number;
	    floor_voices: number;
	    floor_origins: number;
	    floor_opposing: number;
	    passages_per_hit: number;
	}
	export interface Callout {
	    level: string;
	    label: string;
	    text: string;
	}
	export interface Derivation {
	    rule: string;
	    basis: string[];
	    reasoning: string;
	    value: string;
	    r: string;
	    confidence: string;
	    product: string;
	    lower: string;
	    voices: number;
	    depth: number;
	}
	export interface Edge {
	    a: string;
	    b: string;
	    why: string;
	    score: string;
	    said?: string;
	}
	export interface Cluster {
	    id: string;
	    sources: string[];
	    edges?: Edge[];
	    stance: string;
	}
	export interface Support {
	    k: number;
	    n: number;
	    raw: string;
	    confidence: string;
	    smoothed?: string;
	    map?: string;
	    band: string;
	    label?: string;
	    clusters: Cluster[];
	    perspective?: boolean;
	    chained?: boolean;
	}
	export interface Evidence {
	    passage: string;
	    source: string;
	    stance: string;
	    reason: string;
	    cluster: string;
	}
	export interface Quantity {
	    value: string;
	    unit?: string;
	    kind: string;
	    text: string;
	    start: number;
	    end: number;
	}
	export interface Claim {
	    id: string;
	    text: string;
	    facet: string;
	    source?: string;
	    passage?: string;
	    start: number;
	    end: number;
	    grade?: string;
	    published?: string;
	    subject?: string;
	    predicate?: string;
	    object?: string;
	    key?: string;
	    quantities?: Quantity[];
	    dates?: string[];
	    as_of?: string;
	    names?: string[];
	    bias?: string[];
	    relevance: string;
	    by: string;
	    evidence?: Evidence[];
	    support?: Support;
	    derivation?: Derivation;
	    flags?: string[];
	}
	
	export interface Contradiction {
	    id: string;
	    kind: string;
	    a: string;
	    b: string;
	    reason: string;
	    resolution: string;
	    preferred?: string;
	}
	export interface CoverageRow {
	    requirement: string;
	    facet?: string;
	    hypothesis?: string;
	    state: string;
	    claims?: string[];
	}
	export interface DateRange {
	    start?: string;
	    end?: string;
	}
	export interface DigestFinding {
	    id: string;
	    text: string;
	    refs: number[];
	    citations: string[];
	    claims: string[];
	    confidence: string;
	    lower: string;
	    band: string;
	    label?: string;
	    trace: string;
	}
	export interface Debate {
	    title: string;
	    for: DigestFinding[];
	    against: DigestFinding[];
	    note: string;
	}
	
	export interface Diagram {
	    code: string;
	    caption: string;
	    refs?: number[];
	}
	export interface KnownSource {
	    title: string;
	    location: string;
	    published?: string;
	    sha256: string;
	}
	export interface Known {
	    run: string;
	    claim: string;
	    text: string;
	    question: string;
	    date: string;
	    lang: string;
	    confidence: string;
	    band: string;
	    label?: string;
	    sources: KnownSource[];
	    private?: boolean;
	}
	export interface Earlier {
	    claims: Known[];
	    withheld?: number;
	}
	export interface Gate {
	    name: string;
	    title?: string;
	    state: string;
	    notes?: string[];
	}
	export interface ReferenceCheck {
	    total: number;
	    checked: number;
	    mismatch: number;
	    note: string;
	}
	export interface TemplateRow {
	    name: string;
	    title: string;
	    state: string;
	    findings: string[];
	}
	export interface TemplateUse {
	    name: string;
	    why: string;
	    sections: TemplateRow[];
	    requires: TemplateRow[];
	}
	export interface Metrics {
	    completeness: string;
	    accuracy: string;
	    traceability: string;
	    objective: string;
	    findings: number;
	    claims: number;
	    checks: number;
	    rounds: number;
	    words: number;
	}
	export interface ModelUse {
	    channel: string;
	    name?: string;
	    num_ctx?: number;
	    why: string;
	    answered: {[key: string]: number};
	    salvaged: boolean;
	    note: string;
	}
	export interface OutboxSummary {
	    host: string;
	    kind: string;
	    requests: number;
	}
	export interface LevelLine {
	    text: string;
	    findings: string[];
	}
	export interface LevelFact {
	    subject: string;
	    action: string;
	    object: string;
	    findings: string[];
	}
	export interface Levels {
	    facts: LevelFact[];
	    impact: LevelLine[];
	    decisions: LevelLine[];
	    plain: LevelLine[];
	    note: string;
	}
	export interface GraphEdge {
	    from: string;
	    to: string;
	    relation: string;
	    claims: string[];
	}
	export interface GraphNode {
	    id: string;
	    name: string;
	    type: string;
	}
	export interface Graph {
	    nodes: GraphNode[];
	    edges: GraphEdge[];
	}
	export interface TimelineEntry {
	    date: string;
	    text: string;
	    claim: string;
	    refs: number[];
	    also?: string[];
	}
	export interface Gap {
	    id: string;
	    name: string;
	    kind: string;
	    importance: string;
	    reason: string;
	    facet?: string;
	    hypothesis?: string;
	    inferable?: boolean;
	    queries?: string[];
	    angle?: string;
	}
	export interface TraceNode {
	    id: string;
	    kind: string;
	    sha256?: string;
	    location?: string;
	    publisher?: string;
	    published?: string;
	    source?: string;
	    start?: number;
	    end?: number;
	    text?: string;
	    sources?: string[];
	    edges?: Edge[];
	    stance?: string;
	    claim?: string;
	    votes?: Evidence[];
	    quantities?: Quantity[];
	    k?: number;
	    n?: number;
	    raw?: string;
	    rule?: string;
	    basis?: string[];
	    value?: string;
	    r?: string;
	    product?: string;
	    lower?: string;
	    confidence?: string;
	    band?: string;
	    label?: string;
	    claims?: string[];
	    refs?: number[];
	}
	export interface Trace {
	    schema: string;
	    calibration?: string;
	    nodes: TraceNode[];
	}
	export interface Passage {
	    id: string;
	    source: string;
	    start: number;
	    end: number;
	    sha256: string;
	    text: string;
	    heading?: string;
	    page?: number;
	}
	export interface Hypothesis {
	    id: string;
	    statement: string;
	    rationale: string;
	    would_confirm: string;
	    would_refute: string;
	    test?: string;
	    facets: string[];
	    status: string;
	    confidence?: string;
	    for?: string[];
	    against?: string[];
	}
	export interface Facet {
	    id: string;
	    text: string;
	    terms: string[];
	    want: string;
	}
	export interface Identifier {
	    kind: string;
	    value: string;
	}
	export interface Entity {
	    text: string;
	    type: string;
	    known?: string;
	    aliases?: string[];
	    other?: string;
	}
	export interface Scope {
	    countries?: string[];
	    field?: string;
	    exclude?: string[];
	}
	export interface Temporal {
	    category?: string;
	    text?: string;
	    range: DateRange;
	}
	export interface Understanding {
	    question: string;
	    lang: string;
	    intent: string;
	    intent_confidence: string;
	    temporal: Temporal;
	    scope?: Scope;
	    entities: Entity[];
	    terms: string[];
	    identifiers: Identifier[];
	    facets: Facet[];
	    shape: string;
	    domain: string;
	    template?: string;
	    template_why?: string;
	    complexity: string;
	    strategy: string;
	    budget: Budget;
	}
	export interface Quality {
	    relevance: string;
	    authority: string;
	    freshness: string;
	    completeness: string;
	    value: string;
	}
	export interface DigestSource {
	    id: string;
	    title: string;
	    url: string;
	    domain: string;
	    origin_type: string;
	    tier: number;
	    angle: string;
	    adversarial: boolean;
	    snippet: string;
	    verdict: string;
	    note: string;
	    author: string;
	    published: string;
	    retrieved: string;
	    voice: string;
	    sha256: string;
	    quality: Quality;
	    media_type: string;
	    pages?: string;
	}
	export interface Image {
	    url: string;
	    caption: string;
	    alt: string;
	}
	export interface Cell {
	    text: string;
	    refs?: number[];
	}
	export interface Table {
	    caption: string;
	    headers: string[];
	    rows: Cell[][];
	}
	export interface Quote {
	    text: string;
	    passage: string;
	    ref: number;
	}
	export interface Section {
	    id: string;
	    title: string;
	    facets: string[];
	    body: string;
	    findings: DigestFinding[];
	    quotes: Quote[];
	    callouts: Callout[];
	    tables: Table[];
	    diagrams: Diagram[];
	    images: Image[];
	}
	export interface Issue {
	    kind: string;
	    text: string;
	    reason: string;
	    source?: string;
	}
	export interface Floor {
	    voices: number;
	    origin_types: number;
	    adversarial: number;
	}
	export interface SourceStats {
	    independent: number;
	    opened: number;
	    verified: number;
	    origin_types: number;
	    adversarial: number;
	    floor: Floor;
	    shortfall: string[];
	    rejected: number;
	    closed_library: boolean;
	    academic_only?: boolean;
	}
	export interface Digest {
	    schema: number;
	    lang: string;
	    shape: string;
	    title: string;
	    subtitle: string;
	    topic: string;
	    date: string;
	    byline: string;
	    summary: string;
	    verdict: string;
	    source_stats: SourceStats;
	    callouts: Callout[];
	    issues: Issue[];
	    steelman?: string;
	    counter?: string;
	    debate?: Debate;
	    metaphors: string[];
	    sections: Section[];
	    sources: DigestSource[];
	    future_work: string[];
	    understanding: Understanding;
	    hypotheses: Hypothesis[];
	    passages: {[key: string]: Passage};
	    claims: {[key: string]: Claim};
	    traces: {[key: string]: Trace};
	    coverage: CoverageRow[];
	    contradictions: Contradiction[];
	    gaps: Gap[];
	    timeline: TimelineEntry[];
	    graph: Graph;
	    levels: Levels;
	    outbox: OutboxSummary[];
	    model: ModelUse;
	    metrics: Metrics;
	    argument?: Argument;
	    template?: TemplateUse;
	    references?: ReferenceCheck;
	    gates?: Gate[];
	    earlier?: Earlier;
	}
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	export interface Query {
	    text: string;
	    lang: string;
	    angle?: string;
	    facet?: string;
	    site?: string;
	    range: DateRange;
	    limit?: number;
	    outside?: boolean;
	}
	export interface Task {
	    id: string;
	    hypothesis?: string;
	    gap?: string;
	    facet?: string;
	    purpose: string;
	    priority: number;
	    queries: Query[];
	}
	export interface Plan {
	    round: number;
	    tasks: Task[];
	}
	export interface Preview {
	    round: number;
	    asks: Asked[];
	    pages: number;
	    notes?: string[];
	}
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	

}

