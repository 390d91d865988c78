package research

// Conclusion of holding a claim against documents.
type Conclusion string

const (
	Supported    Conclusion = "supported"    // at least one voice confirms it and none contradicts it
	Contradicted Conclusion = "contradicted" // at least one contradicts it and none confirms it
	Contested    Conclusion = "contested"    // both
	NotFound     Conclusion = "not_found"    // nothing that was read speaks to it
)

// Verification is what documents say of one claim.
type Verification struct {
	Claim      string     `json:"claim"`
	Conclusion Conclusion `json:"conclusion"`
	// Relevance is the share of the weight of the claim's words that the closest place holds, 0 to 1.
	Relevance Ratio `json:"relevance"`
	// Support counts independent voices (Eq. 3); nil when nothing speaks to the claim.
	Support *Support `json:"support,omitempty"`
	// Evidence are the places that speak to the claim; of a claim that was not found, those that come closest, each with what
	// keeps it from speaking to the claim.
	Evidence []VerifiedPlace `json:"evidence"`
	Read     int             `json:"read"` // documents that were opened for it
}

// VerifiedPlace is one place and what it does to the claim.
type VerifiedPlace struct {
	Stance    Stance  `json:"stance"`
	Reason    string  `json:"reason"`
	Passage   Passage `json:"passage"`
	Location  string  `json:"location"`
	Title     string  `json:"title"`
	Voice     string  `json:"voice"`
	Published string  `json:"published,omitempty"`
}
