// Package enginetest holds what tests stand on: a server that speaks Ollama's protocol byte for byte and plays faults on
// demand ([NewServer]), and the real server with a model made by code ([StartOllama], [Tiny]).
//
// Only tests import it. Its clients and listeners are its own; the rule that only engine/fetch dials is for the program.
package enginetest

// Fault is one way in which a model or its server goes wrong.
type Fault string

// The faults of an answer come with status 200 and a finished stream; those of a server do not.
const (
	Good Fault = "" // no fault

	Empty         Fault = "empty content"
	ThinkingOnly  Fault = "thinking only"
	ThinkingInto  Fault = "thinking in the content"
	ProseAround   Fault = "prose around the object"
	TwoObjects    Fault = "two objects"
	TrailingJunk  Fault = "trailing junk"
	CutJSON       Fault = "truncated JSON"
	WrongKeys     Fault = "wrong keys"
	NearKeys      Fault = "keys in another spelling"
	NearEnums     Fault = "enum values in another case"
	Repeats       Fault = "endless repetition"
	Refuses       Fault = "refusal"
	WrongLanguage Fault = "wrong language"
	Echoes        Fault = "echo of the prompt"
	ControlTokens Fault = "control tokens"

	CutCount  Fault = "prompt cut to half the window"
	FullCount Fault = "prompt cut to the window"

	TooLong400    Fault = "400 input too long"
	NoQuery500    Fault = "500 no user query"
	Status400     Fault = "400"
	Status404     Fault = "404"
	NotOllama404  Fault = "404 of another server"
	Status429     Fault = "429"
	Status500     Fault = "500"
	Status503     Fault = "503"
	Memory500     Fault = "500 out of memory"
	Hangs         Fault = "hung before the first token"
	HangsMidway   Fault = "hung in the middle"
	DiesMidway    Fault = "connection lost in the middle"
	EndsMidway    Fault = "stream ended in the middle"
	ErrorMidway   Fault = "error line in the middle"
	BadNDJSON     Fault = "malformed NDJSON"
	HTMLInsteadOf Fault = "HTML with status 200"
)

// AnswerFaults are the shapes of a bad answer; each must be survived by reading it, asking again or doing without.
var AnswerFaults = []Fault{Empty, ThinkingOnly, ThinkingInto, ProseAround, TwoObjects, TrailingJunk, CutJSON, WrongKeys, NearKeys, NearEnums, Repeats, Refuses, WrongLanguage, Echoes, ControlTokens}

// ServerFaults are the shapes of a bad server.
var ServerFaults = []Fault{CutCount, FullCount, TooLong400, NoQuery500, Status400, Status404, NotOllama404, Status429, Status500, Status503, Memory500, Hangs, HangsMidway, DiesMidway, EndsMidway, ErrorMidway, BadNDJSON, HTMLInsteadOf}
