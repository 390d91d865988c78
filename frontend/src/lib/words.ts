// The words that a report says of itself, in the two languages that Assay writes. The keys of values (verdicts, origins,
// angles) are the engine's.

const en = {
  lang: 'en', sep: ', ', of: 'of',
  edition: 'Edition', survey: 'Survey', debate_shape: 'Debate', fact: 'Question of fact', no_model: 'No language model was used.', salvaged: 'Assembled from the ledger without a model', written: 'Written on this computer with',
  perspective: 'perspective: {x}',
  sources: 'sources', independent: 'independent', origins: 'origin types', adversarial: 'adversarial', coverage_s: 'coverage', rejected_s: 'rejected',
  shortfall: 'Shortfall', closed: 'Closed library', closed_t: 'Only the documents of the library were read. The usual floors for web research are printed as a shortfall and do not stop the report.',
  summary: 'Summary', verdict: 'Verdict', no_verdict: 'No finding carries a verdict.', hypotheses: 'What became of the hypotheses',
  confirmed: 'confirmed', partial: 'partial', refuted: 'refuted', unverified: 'unverified',
  accept: 'accepted', verify: 'to be verified', reject: 'rejected', single: 'reported by one source', unconfirmed: 'unconfirmed', contested: 'contested', derived: 'derived', none: 'not computed',
  confidence: 'Confidence', open_trace: 'Open the trace', voices_k: 'of {n} voices confirm', confirm: 'confirms', contradict: 'contradicts', neutral: 'does not address it',
  debate: 'The debate', for: 'For', against: 'Against', side_empty: 'No finding stands on this side.', steelman: 'The strongest case for', counter: 'The counter-case',
  disagree: 'Where sources disagree', direct: 'contradiction', indirect: 'indirect contradiction', temporal: 'different times', kept: 'kept', set_aside: 'set aside',
  recency: 'Resolved by recency', authority_r: 'Resolved by authority', corroboration: 'Resolved by corroboration', unresolved: 'Not resolved: both are shown', evolution: 'Both hold, each at its time', contested_r: 'Contested: both are shown',
  timeline: 'Timeline', coverage: 'Coverage', requirement: 'Requirement', part: 'Part', state: 'State', covered: 'covered', missing: 'missing', claims: 'Claims',
  gaps: 'Gaps', no_gaps: 'No gap was listed.', high: 'high', medium: 'medium', low: 'low', logical: 'logical', informational: 'informational',
  levels: 'For other readers', facts: 'The facts, one by one', subject: 'Who or what', action: 'Does or is', object: 'What', impact: 'What it means', decisions: 'What may follow from it', plain: 'In plain words', metaphors: 'Explained simply',
  issues: 'Issues', rejected_t: 'opened sources were rejected. They are kept in the record.', source: 'source', claim: 'claim left out', check: 'check', caveat: 'caveat', no_issues: 'Nothing was left out.', issues_more: '{n} more sources that were not used; the record names each.',
  appendix: 'Sources', quality: 'quality', no_author: 'no author named', undated: 'undated', no_sources: 'No source was accepted.',
  verified: 'verified', reject_ai: 'machine-written', reject_unauthored: 'unsigned', reject_dead: 'dead', reject_offsubject: 'off subject', reject_duplicate: 'duplicate', reject_listing: 'listing', unread: 'unread', paywalled: 'behind a paywall', blocked: 'blocked', needs_script: 'needs a script', struck: 'struck',
  academic: 'academic', government: 'government', industry: 'industry', trade_press: 'trade press', advocacy: 'advocacy', reference: 'reference', personal: 'added by the reader',
  overview: 'overview', primary_research: 'primary research', history: 'history', current_state: 'current state', mechanism: 'mechanism', criticism: 'criticism', opposition: 'opposition', regulatory: 'regulatory', economics: 'economics', future: 'future',
  future_work: 'Future work', made: 'How this was made', checklist: 'Checklist before delivery', gate_pass: 'holds', gate_fail: 'does not hold', gate_unchecked: 'not checked', model: 'Model', why_model: 'Why this one', outbox: 'Requests sent', here: 'this computer', outbox_none: 'None. Nothing left this computer.',
  m_complete: 'Completeness', m_accuracy: 'Accuracy', m_trace: 'Traceability', m_objective: 'Objective', no_findings: 'No finding. What was looked for and not found stands under Gaps.', image_out: 'Image left out', diagram: 'Diagram, as mermaid text',
  warn: 'Warning', error: 'Fault', info: 'Note', ok: 'Good',
}

/** Words is the table of one language. */
export type Words = typeof en

const zh: Words = {
  lang: 'zh-Hans', sep: '、', of: '/',
  edition: '版次', survey: '综述', debate_shape: '辩论', fact: '事实性问题', no_model: '未使用语言模型。', salvaged: '未经模型，由台账汇编', written: '由本机上的模型撰写：',
  perspective: '视角：{x}',
  sources: '来源', independent: '独立声音', origins: '来源类型', adversarial: '反方来源', coverage_s: '覆盖率', rejected_s: '被排除',
  shortfall: '未达到的要求', closed: '封闭资料库', closed_t: '只阅读了资料库中的文件。网络研究的常规下限作为不足列出，但不阻止报告。',
  summary: '摘要', verdict: '结论', no_verdict: '没有可作结论的发现。', hypotheses: '各项假设的结果',
  confirmed: '已证实', partial: '部分证实', refuted: '被否定', unverified: '未核实',
  accept: '采信', verify: '待核实', reject: '不采信', single: '仅一个来源报道', unconfirmed: '未经证实', contested: '有争议', derived: '推导得出', none: '未计算',
  confidence: '置信度', open_trace: '打开追溯', voices_k: '/ {n} 个声音证实', confirm: '证实', contradict: '矛盾', neutral: '未涉及',
  debate: '争论', for: '正方', against: '反方', side_empty: '这一方没有发现。', steelman: '最有力的正方论证', counter: '反方论证',
  disagree: '来源之间的分歧', direct: '直接矛盾', indirect: '间接矛盾', temporal: '时间不同', kept: '采用', set_aside: '搁置',
  recency: '按时间新近取舍', authority_r: '按权威性取舍', corroboration: '按佐证取舍', unresolved: '未决：两者并列', evolution: '各在其时，均成立', contested_r: '有争议：两者并列',
  timeline: '时间线', coverage: '覆盖情况', requirement: '要求', part: '部分', state: '状态', covered: '已覆盖', missing: '缺失', claims: '论断',
  gaps: '缺口', no_gaps: '没有列出缺口。', high: '高', medium: '中', low: '低', logical: '逻辑性', informational: '信息性',
  levels: '给其他读者', facts: '逐条事实', subject: '主体', action: '动作', object: '对象', impact: '意味着什么', decisions: '可据此做什么', plain: '通俗说明', metaphors: '简单解释',
  issues: '问题', rejected_t: '个打开过的来源被排除，均保存在记录中。', source: '来源', claim: '未采用的论断', check: '检查', caveat: '提醒', no_issues: '没有略去任何内容。', issues_more: '另有 {n} 个未采用的来源，记录中逐一列出。',
  appendix: '来源', quality: '质量', no_author: '未署名', undated: '无日期', no_sources: '没有采用任何来源。',
  verified: '已核实', reject_ai: '机器撰写', reject_unauthored: '未署名', reject_dead: '失效', reject_offsubject: '离题', reject_duplicate: '重复', reject_listing: '列表页', unread: '未读取', paywalled: '付费墙', blocked: '被阻止', needs_script: '需要脚本', struck: '已划除',
  academic: '学术', government: '政府', industry: '行业', trade_press: '行业媒体', advocacy: '倡导组织', reference: '参考资料', personal: '读者添加',
  overview: '概览', primary_research: '原始研究', history: '历史', current_state: '现状', mechanism: '机制', criticism: '批评', opposition: '反对', regulatory: '监管', economics: '经济', future: '未来',
  future_work: '后续工作', made: '本报告如何产生', checklist: '交付前核查清单', gate_pass: '通过', gate_fail: '未通过', gate_unchecked: '未核查', model: '模型', why_model: '选用原因', outbox: '发出的请求', here: '本机', outbox_none: '无。没有任何内容离开本机。',
  m_complete: '完整度', m_accuracy: '准确度', m_trace: '可追溯度', m_objective: '目标值', no_findings: '没有发现。查找而未得的内容列在“缺口”中。', image_out: '图片略去', diagram: '示意图（mermaid 文本）',
  warn: '警告', error: '故障', info: '说明', ok: '良好',
}

/** english is the table for the window itself. */
export const english: Words = en

/** wordsFor returns the table for a digest's language: Chinese for any zh tag, English for everything else. */
export function wordsFor(lang: string): Words {
  return lang === 'zh' || lang.startsWith('zh-') ? zh : en
}

/** word is the word for a value of the engine; a value the table does not know is readable still. */
export function word(w: Words, key: string): string {
  return Object.hasOwn(w, key) ? w[key as keyof Words] : key.replaceAll('_', ' ')
}

/** stages are the eight, by the engine's names, as the window writes them and with what each does. */
export const stages: { name: string; title: string; does: string }[] = [
  { name: 'understand', title: 'Understand', does: 'Read the question: intent, time, parts' },
  { name: 'hypothesise', title: 'Hypothesise', does: 'Candidate answers that can be tested' },
  { name: 'plan', title: 'Plan', does: 'Queries from ten angles' },
  { name: 'search', title: 'Search', does: 'Find, open and judge sources' },
  { name: 'extract', title: 'Extract', does: 'Claims with the passages they rest on' },
  { name: 'reason', title: 'Reason', does: 'Count voices, derive, look for gaps' },
  { name: 'report', title: 'Report', does: 'Write, check, repair' },
  { name: 'persist', title: 'Persist', does: 'Keep the report and its record' },
]

/** angles are the ten query angles in the order in which they are asked. */
export const angles = ['overview', 'primary_research', 'history', 'current_state', 'mechanism', 'criticism', 'opposition', 'regulatory', 'economics', 'future'] as const
