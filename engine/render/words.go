package render

import "strings"

// words holds every word the page itself says, by language. The two tables have the same keys; a test holds them to it.
// "{n}", "{m}" and "{x}" are replaced by say.
var words = map[string]map[string]string{
	"en": {
		"lang": "en", "sep": ", ", "colon": ": ",
		"edition": "Edition", "survey": "Survey", "debate_shape": "Debate", "fact": "Question of fact", "auto": "Report",
		"by_model": "Written on this computer with {x}", "by_none": "No language model was used.", "salvaged": "Assembled from the ledger without a model",
		"skip": "Skip to the report", "contents": "Contents",
		"sources": "sources", "independent": "independent", "origins": "origin types", "adversarial": "adversarial", "coverage_s": "coverage", "rejected_s": "rejected",
		"of": "{n} of {m}", "shortfall": "Shortfall", "closed": "Closed library", "closed_t": "Only the documents of the library were read. The usual floors for web research are printed as a shortfall and do not stop the report.",
		"summary": "Summary", "verdict": "Verdict", "no_verdict": "No finding carries a verdict.",
		"warn": "Warning", "error": "Fault", "info": "Note", "ok": "Good",
		"hypotheses": "What became of the hypotheses", "h_for": "{n} for", "h_against": "{n} against",
		"confirmed": "confirmed", "partial": "partial", "refuted": "refuted", "unverified": "unverified",
		"accept": "accepted", "verify": "to be verified", "reject": "rejected", "single": "reported by one source", "unconfirmed": "unconfirmed", "contested": "contested", "derived": "derived", "none": "not computed",
		"confidence": "Confidence {x}", "arith": "Show the arithmetic", "src_at": "Source {n}, open its card",
		"k_of_n": "{n} of {m} voices confirm", "claim": "Claim", "voices": "Voices k/n", "support": "Support k/n", "smoothed": "Confidence (k+1)/(n+2)", "calibrated": "Confidence, by calibration map {x}", "band": "Band",
		"derivations": "Derivations", "rule": "Rule", "from": "From", "how": "Computed", "strength": "r", "bound_min": "r × least", "bound_prod": "r × product", "bound_low": "Lower bound",
		"f_total": "The finding takes the least confidence of what it rests on: {x}. Lower bound {n}.", "f_total1": "The finding rests on one claim and takes its confidence: {x}. Lower bound {n}.", "f_attr": "The attribution is certain; that the statement is true is not claimed.",
		"passages": "Passages", "bytes": "bytes {n}–{m}", "page": "page {n}", "pages": "pages {n}", "confirm": "confirms", "contradict": "contradicts", "neutral": "does not address it", "voice": "voice {x}", "no_trace": "This finding carries no trace.",
		"more_passages": "{n} more passages are in the record.",
		"debate":        "The debate", "for": "For", "against": "Against", "side_empty": "No finding stands on this side.", "steelman": "The strongest case for", "counter": "The counter-case",
		"disagree": "Where sources disagree", "direct": "contradiction", "indirect": "indirect contradiction", "temporal": "different times", "kept": "kept", "set_aside": "set aside",
		"recency": "Resolved by recency", "authority": "Resolved by authority", "corroboration": "Resolved by corroboration", "unresolved": "Not resolved: both are shown", "evolution": "Both hold, each at its time", "contested_r": "Contested: both are shown", "perspective": "perspective: {x}",
		"timeline": "Timeline", "relations": "Relations", "levels": "For other readers", "facts": "The facts, one by one", "subject": "Who or what", "action": "Does or is", "object": "What", "impact": "What it means", "decisions": "What may follow from it", "plain": "In plain words", "metaphors": "Explained simply",
		"coverage": "Coverage", "coverage_x": "{n} covered, {m} partial, {x} missing", "requirement": "Requirement", "facet": "Part", "state": "State", "covered": "covered", "missing": "missing", "claims": "Claims",
		"gaps": "Gaps", "no_gaps": "No gap was listed.", "high": "high", "medium": "medium", "low": "low", "logical": "logical", "informational": "informational", "queries": "Asked or to be asked", "inferable": "may be inferred from what was found",
		"issues": "Issues", "rejected_t": "{n} opened sources were rejected. They are kept in the record.", "issue_source": "source", "issue_claim": "claim left out", "issue_check": "check", "issue_caveat": "caveat", "no_issues": "Nothing was left out.", "issues_more": "{n} more sources that were not used; the record names each.",
		"appendix": "Sources", "quality": "quality {x}", "by": "By {x}", "no_author": "no author named", "published": "published {x}", "undated": "undated", "retrieved": "read {x}", "tier": "tier {n}", "file": "file", "quoted": "Quoted in this report", "no_sources": "No source is cited.",
		"relevance": "relevance", "authority_q": "authority", "freshness": "freshness", "completeness": "completeness",
		"verified": "verified", "reject_ai": "machine-written", "reject_unauthored": "unsigned", "reject_dead": "dead", "reject_offsubject": "off subject", "reject_duplicate": "duplicate", "reject_listing": "listing", "unread": "unread", "paywalled": "behind a paywall", "blocked": "blocked", "needs_script": "needs a script", "struck": "struck by the reader",
		"academic": "academic", "government": "government", "industry": "industry", "trade_press": "trade press", "advocacy": "advocacy", "sponsor": "sponsored", "own product": "own product", "single perspective": "one person's opinion", "reference": "reference", "personal": "added by the reader",
		"overview": "overview", "primary_research": "primary research", "history": "history", "current_state": "current state", "mechanism": "mechanism", "criticism": "criticism", "opposition": "opposition", "regulatory": "regulatory", "economics": "economics", "future": "future",
		"future_work": "Future work", "made": "How this was made", "question": "Question", "model": "Model", "why_model": "Why this one", "answered": "Calls answered by", "outbox": "Requests sent", "here": "this computer", "outbox_none": "None. Nothing left this computer.", "host": "Host", "kind": "Kind", "requests": "Requests",
		"metrics": "Figures", "m_complete": "Completeness", "m_accuracy": "Accuracy", "m_trace": "Traceability", "m_objective": "Objective", "m_findings": "Findings", "m_claims": "Claims", "m_checks": "Diagnostics raised", "m_rounds": "Gap rounds", "m_words": "Words",
		"foot": "Every number of this page can be recomputed from the run record:", "no_findings": "No finding. What was looked for and not found stands under Gaps.", "image_out": "Image left out", "diagram": "Diagram, as mermaid text", "references": "References", "unknown": "unknown",
		"checklist": "Checklist before delivery", "gate_pass": "holds", "gate_fail": "does not hold", "gate_unchecked": "not checked", "gate_sep": "; ",
		"template": "Template", "template_x": "{x} ({n})", "why_domain": "by the field of the question", "why_asked": "as asked", "why_": "by the field of the question",
		"template_enterprise": "Enterprise", "template_person": "Person", "template_technology": "Technology", "template_industry": "Industry", "template_policy": "Policy", "template_literature": "Literature", "template_general": "General",
		"works": "Cited works", "works_x": "{n} of {m} looked up in catalogues.",
		"difference": "difference", "growth": "growth", "ratio": "ratio", "sum": "sum", "order": "order", "interval": "date interval",
		"earlier": "What earlier research says", "earlier_t": "From other runs on this computer, each with the confidence that it had there. Nothing of it counts in this report.", "earlier_at": "run {x}, {n}, confidence there {m}", "earlier_held": "{n} more were found in files of your own and are not shown, because this research reached beyond this computer.",
		"d_title": "What changed", "d_from": "Earlier report: {x}, {n} findings", "d_to": "Later report: {x}, {n} findings", "d_new": "New findings", "d_conflicts": "Against the earlier report", "d_confidences": "Changed confidences", "d_gone": "Findings gone", "d_sources": "What became of the sources",
		"d_earlier": "earlier: {x}", "d_stands": "The earlier statement still stands in the later report.", "d_from_to": "Confidence {n}, was {m}", "s_new": "new", "s_changed": "its text changed", "s_died": "died", "s_uncited": "cited no more, unchanged", "s_unseen": "cited no more, not looked at again",
		"b_title": "Briefing", "b_watches": "Watches", "b_mix": "The mix", "b_mix_line": "{n} of {m} lines wanted", "b_report": "report of {x}", "b_nothing": "No watch has news.", "b_stands": "first report", "b_contradiction": "against the earlier report", "b_confidence": "changed confidence", "b_new": "new",
		"m_title": "This morning", "m_lead": "Since {x}: {n} reports, {m} runs that need you.", "m_needs": "Needs you", "m_found": "What was found", "m_waits": "Still to come", "m_counts": "{n} findings, {m} gaps",
		"k_news": "News", "k_feeds": "Feeds", "k_social": "Social", "k_web": "Web", "k_papers": "Papers", "k_reference": "Reference works", "k_files": "Files of your own", "k_other": "Other",
	},
	"zh": {
		"lang": "zh-Hans", "sep": "、", "colon": "：",
		"edition": "版次", "survey": "综述", "debate_shape": "辩论", "fact": "事实性问题", "auto": "报告",
		"by_model": "由本机上的 {x} 撰写", "by_none": "未使用语言模型。", "salvaged": "未经模型，由台账汇编",
		"skip": "跳到报告正文", "contents": "目录",
		"sources": "来源", "independent": "独立声音", "origins": "来源类型", "adversarial": "反方来源", "coverage_s": "覆盖率", "rejected_s": "被排除",
		"of": "{n} / {m}", "shortfall": "未达到的要求", "closed": "封闭资料库", "closed_t": "只阅读了资料库中的文件。网络研究的常规下限作为不足列出，但不阻止报告。",
		"summary": "摘要", "verdict": "结论", "no_verdict": "没有可作结论的发现。",
		"warn": "警告", "error": "故障", "info": "说明", "ok": "良好",
		"hypotheses": "各项假设的结果", "h_for": "支持 {n}", "h_against": "反对 {n}",
		"confirmed": "已证实", "partial": "部分证实", "refuted": "被否定", "unverified": "未核实",
		"accept": "采信", "verify": "待核实", "reject": "不采信", "single": "仅一个来源报道", "unconfirmed": "未经证实", "contested": "有争议", "derived": "推导得出", "none": "未计算",
		"confidence": "置信度 {x}", "arith": "显示计算过程", "src_at": "来源 {n}，打开其卡片",
		"k_of_n": "{m} 个声音中有 {n} 个证实", "claim": "论断", "voices": "声音 k/n", "support": "支持度 k/n", "smoothed": "置信度 (k+1)/(n+2)", "calibrated": "置信度，按校准表 {x}", "band": "等级",
		"derivations": "推导", "rule": "规则", "from": "依据", "how": "计算", "strength": "r", "bound_min": "r × 最小值", "bound_prod": "r × 乘积", "bound_low": "下界",
		"f_total": "发现取其所依据各项中最低的置信度：{x}。下界 {n}。", "f_total1": "发现只依据一条论断，取其置信度：{x}。下界 {n}。", "f_attr": "确定的是出处；并不断言该说法为真。",
		"passages": "段落", "bytes": "字节 {n}–{m}", "page": "第 {n} 页", "pages": "第 {n} 页", "confirm": "证实", "contradict": "矛盾", "neutral": "未涉及", "voice": "声音 {x}", "no_trace": "此发现没有追溯记录。",
		"more_passages": "另有 {n} 段在记录中。",
		"debate":        "争论", "for": "正方", "against": "反方", "side_empty": "这一方没有发现。", "steelman": "最有力的正方论证", "counter": "反方论证",
		"disagree": "来源之间的分歧", "direct": "直接矛盾", "indirect": "间接矛盾", "temporal": "时间不同", "kept": "采用", "set_aside": "搁置",
		"recency": "按时间新近取舍", "authority": "按权威性取舍", "corroboration": "按佐证取舍", "unresolved": "未决：两者并列", "evolution": "各在其时，均成立", "contested_r": "有争议：两者并列", "perspective": "视角：{x}",
		"timeline": "时间线", "relations": "关系", "levels": "给其他读者", "facts": "逐条事实", "subject": "主体", "action": "动作", "object": "对象", "impact": "意味着什么", "decisions": "可据此做什么", "plain": "通俗说明", "metaphors": "简单解释",
		"coverage": "覆盖情况", "coverage_x": "已覆盖 {n}，部分 {m}，缺失 {x}", "requirement": "要求", "facet": "部分", "state": "状态", "covered": "已覆盖", "missing": "缺失", "claims": "论断",
		"gaps": "缺口", "no_gaps": "没有列出缺口。", "high": "高", "medium": "中", "low": "低", "logical": "逻辑性", "informational": "信息性", "queries": "已查或待查", "inferable": "或可由已有结果推断",
		"issues": "问题", "rejected_t": "打开过的来源中有 {n} 个被排除，均保存在记录中。", "issue_source": "来源", "issue_claim": "未采用的论断", "issue_check": "检查", "issue_caveat": "提醒", "no_issues": "没有略去任何内容。", "issues_more": "另有 {n} 个未采用的来源，记录中逐一列出。",
		"appendix": "来源", "quality": "质量 {x}", "by": "作者 {x}", "no_author": "未署名", "published": "发表于 {x}", "undated": "无日期", "retrieved": "读取于 {x}", "tier": "第 {n} 级", "file": "文件", "quoted": "本报告引用的段落", "no_sources": "没有引用任何来源。",
		"relevance": "相关性", "authority_q": "权威性", "freshness": "时效", "completeness": "完整性",
		"verified": "已核实", "reject_ai": "机器撰写", "reject_unauthored": "未署名", "reject_dead": "失效", "reject_offsubject": "离题", "reject_duplicate": "重复", "reject_listing": "列表页", "unread": "未读取", "paywalled": "付费墙", "blocked": "被阻止", "needs_script": "需要脚本", "struck": "已由读者划除",
		"academic": "学术", "government": "政府", "industry": "行业", "trade_press": "行业媒体", "advocacy": "倡导组织", "sponsor": "赞助内容", "own product": "发布者谈自己的产品", "single perspective": "个人观点", "reference": "参考资料", "personal": "读者添加",
		"overview": "概览", "primary_research": "原始研究", "history": "历史", "current_state": "现状", "mechanism": "机制", "criticism": "批评", "opposition": "反对", "regulatory": "监管", "economics": "经济", "future": "未来",
		"future_work": "后续工作", "made": "本报告如何产生", "question": "问题", "model": "模型", "why_model": "选用原因", "answered": "应答者与次数", "outbox": "发出的请求", "here": "本机", "outbox_none": "无。没有任何内容离开本机。", "host": "主机", "kind": "种类", "requests": "请求数",
		"metrics": "数字", "m_complete": "完整度", "m_accuracy": "准确度", "m_trace": "可追溯度", "m_objective": "目标值", "m_findings": "发现", "m_claims": "论断", "m_checks": "检查提示", "m_rounds": "补缺轮数", "m_words": "字数",
		"foot": "本页每个数字都可由运行记录重新计算：", "no_findings": "没有发现。查找而未得的内容列在“缺口”中。", "image_out": "图片略去", "diagram": "示意图（mermaid 文本）", "references": "参考文献", "unknown": "未知",
		"checklist": "交付前核查清单", "gate_pass": "通过", "gate_fail": "未通过", "gate_unchecked": "未核查", "gate_sep": "；",
		"template": "模板", "template_x": "{x}（{n}）", "why_domain": "按问题领域", "why_asked": "按要求", "why_": "按问题领域",
		"template_enterprise": "企业", "template_person": "人物", "template_technology": "技术", "template_industry": "行业", "template_policy": "政策", "template_literature": "文献", "template_general": "通用",
		"works": "被引文献", "works_x": "{m} 篇中有 {n} 篇已在目录中核对。",
		"difference": "差值", "growth": "增长率", "ratio": "比值", "sum": "合计", "order": "次序", "interval": "日期间隔",
		"earlier": "先前的研究", "earlier_t": "来自本机的其他研究，各附其当时的置信度，不计入本报告。", "earlier_at": "研究 {x}，{n}，当时的置信度 {m}", "earlier_held": "另有 {n} 条得自您自己的文件，因本研究超出本机而未列出。",
		"d_title": "变化", "d_from": "先前报告：{x}，{n} 条发现", "d_to": "后来报告：{x}，{n} 条发现", "d_new": "新发现", "d_conflicts": "与先前报告相矛盾", "d_confidences": "置信度变化", "d_gone": "消失的发现", "d_sources": "来源的变化",
		"d_earlier": "先前：{x}", "d_stands": "先前的说法在后来的报告中仍在。", "d_from_to": "置信度 {n}，原为 {m}", "s_new": "新增", "s_changed": "内容已改变", "s_died": "已失效", "s_uncited": "不再引用，内容未变", "s_unseen": "不再引用，未再查看",
		"b_title": "简报", "b_watches": "关注", "b_mix": "构成", "b_mix_line": "应有 {m} 行，实有 {n} 行", "b_report": "{x} 的报告", "b_nothing": "各关注均无新内容。", "b_stands": "首次报告", "b_contradiction": "与先前报告相矛盾", "b_confidence": "置信度变化", "b_new": "新增",
		"m_title": "今晨", "m_lead": "自 {x} 起：{n} 份报告，{m} 项需要你处理。", "m_needs": "需要你处理", "m_found": "所得", "m_waits": "尚在进行", "m_counts": "{n} 条发现，{m} 处缺口",
		"k_news": "新闻", "k_feeds": "订阅源", "k_social": "社交媒体", "k_web": "网络", "k_papers": "论文", "k_reference": "工具书", "k_files": "自有文件", "k_other": "其他",
	},
}

// vocabulary is the table of one language.
type vocabulary map[string]string

// wordsFor returns the table for a digest's language: Chinese for any "zh" tag, English for everything else.
func wordsFor(lang string) vocabulary {
	if lang == "zh" || strings.HasPrefix(lang, "zh-") {
		return words["zh"]
	}
	return words["en"]
}

// say returns the word for key; an unknown key is returned as it stands, with underscores as spaces, so that a value the
// table does not know (a new kind of origin, say) is still readable.
func (v vocabulary) say(key string) string {
	if s, ok := v[key]; ok {
		return s
	}
	return strings.ReplaceAll(clip(key, 80), "_", " ")
}

// fill is say with {n}, {m} and {x} replaced, in that order, by the arguments given as name and value in turn.
func (v vocabulary) fill(key string, pairs ...string) string {
	r := make([]string, 0, len(pairs))
	for i := 0; i+1 < len(pairs); i += 2 {
		r = append(r, "{"+pairs[i]+"}", pairs[i+1])
	}
	return strings.NewReplacer(r...).Replace(v.say(key))
}
