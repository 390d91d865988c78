export namespace app {
	
	export interface AuditFault {
	    where: string;
	    what: string;
	}
	export interface Device {
	    name: string;
	    total: number;
	    used: number;
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
	}
	export interface Question {
	    text: string;
	    depth: string;
	    lang: string;
	    shape: string;
	    model: string;
	    about: string;
	    offline: boolean;
	    allow_partial: boolean;
	    libraries: string[];
	    attach: string[];
	}
	export interface Recomputed {
	    checked: number;
	    took_ms: number;
	    faults: AuditFault[];
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
	    depth: string;
	    findings: number;
	    sources: number;
	    project?: string;
	    schema: number;
	    code: string;
	    holder?: string;
	    live: boolean;
	}
	export interface RunEvents {
	    id: string;
	    after: number;
	    last: number;
	    info: RunRow;
	    events: RunEvent[];
	}
	

}

export namespace research {
	
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
	    band: string;
	    label?: string;
	    clusters: Cluster[];
	    perspective?: boolean;
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
	export interface Levels {
	    impact: LevelLine[];
	    decisions: LevelLine[];
	    plain: LevelLine[];
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
	    entities: Entity[];
	    terms: string[];
	    identifiers: Identifier[];
	    facets: Facet[];
	    shape: string;
	    domain: string;
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
	}
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	
	

}

