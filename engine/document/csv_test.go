package document

import (
	"strings"
	"testing"

	"assay/engine/research"
)

func TestCSV(t *testing.T) {
	for _, tc := range []struct {
		name, location, in string
		title, text, head  string // of the document
		tables             int
	}{
		{"commas", "data/debian_releases.csv", "Release,Date,Packages\nDebian 11,2021-08-14,\"59,551\"\nDebian 12,2023-06-10,\"64,419\"\n",
			"debian releases", "Release\tDate\tPackages\nDebian 11\t2021-08-14\t59,551\nDebian 12\t2023-06-10\t64,419", "Release\tDate\tPackages", 1},
		{"decimal commas", "x.csv", "Stadt;Fläche;Dichte\nBonn;141,1;2378,5\nKöln;405,0;2671,8\nEssen;210,3;2772,2\n", "x", "Stadt\tFläche\tDichte\nBonn\t141,1\t2378,5\nKöln\t405,0\t2671,8\nEssen\t210,3\t2772,2", "Stadt\tFläche\tDichte", 1},
		{"tabs", "x.tsv", "name\tport\nssh\t22\nhttp\t80\n", "x", "name\tport\nssh\t22\nhttp\t80", "name\tport", 1},
		{"bars", "x.csv", "name|port\nssh|22\nhttp|80\n", "x", "name\tport\nssh\t22\nhttp\t80", "name\tport", 1},
		{"a spreadsheet's own word", "x.csv", "sep=;\r\na,b;c\r\n1,2;3\r\n", "x", "a,b\tc\n1,2\t3", "a,b\tc", 1},
		{"byte order mark", "x.csv", "\ufeffname,port\nssh,22\n", "x", "name\tport\nssh\t22", "name\tport", 1},
		{"lines before the table", "x.csv", "Population of towns\nSource: register\n\nTown,People\nSkerry,1200\nErrol,900\n", "Population of towns", "Population of towns\n\nSource: register\n\nTown\tPeople\nSkerry\t1200\nErrol\t900", "Town\tPeople", 1},
		{"a line end in a field", "x.csv", "name,n\n\"two\nlines\",3\n", "x", "name\tn\ntwo lines\t3", "name\tn", 1},
		{"no names", "x.csv", "1,2\n3,4\n", "x", "1\t2\n3\t4", "", 1},
		{"years as columns", "x.csv", "Town,2018,2019\nErrol,12,15\n", "x", "Town\t2018\t2019\nErrol\t12\t15", "Town\t2018\t2019", 1},
		{"years without a name", "x.csv", "Errol,2018\nSkerry,2019\n", "x", "Errol\t2018\nSkerry\t2019", "", 1},
		{"words only", "x.csv", "red,round\nblue,square\n", "x", "red\tround\nblue\tsquare", "", 1},
		{"a stray quotation mark", "x.csv", "name,n\nthe 5\" disk,3\n", "x", "name\tn\nthe 5\" disk\t3", "name\tn", 1},
		{"uneven", "x.csv", "a,n\nb,1\nc,2,3\n", "x", "a\tn\nb\t1\nc\t2\t3", "", 1},
		{"short rows", "x.csv", "a,n,m\nb,1,2\nc,3,4\nd,2\n", "x", "a\tn\tm\nb\t1\t2\nc\t3\t4\nd\t2", "a\tn\tm", 1},
		{"one column", "x.csv", "alpha\nbeta\n", "alpha beta", "alpha beta", "", 0},
		{"GBK", "x.csv", "\xb3\xc7\xca\xd0,\xc8\xcb\xbf\xda\n\xb1\xb1\xbe\xa9\xca\xd0\xc7\xf8,21893095\n\xc9\xcf\xba\xa3\xca\xd0\xc7\xf8,24870895\n", "x", "城市\t人口\n北京市区\t21893095\n上海市区\t24870895", "城市\t人口", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, err := FromBytes(t.Context(), tc.location, MediaType(tc.location, []byte(tc.in)), []byte(tc.in), Options{})
			if err != nil || doc.Fault != "" {
				t.Fatal(err, doc.Fault)
			}
			sound(t, doc)
			if doc.Text != tc.text || doc.MediaType != CSV || len(doc.Tables) != tc.tables {
				t.Errorf("text %q, want %q; %s, %d tables", doc.Text, tc.text, doc.MediaType, len(doc.Tables))
			}
			if doc.Title != tc.title {
				t.Errorf("title %q, want %q", doc.Title, tc.title)
			}
			if got := heads(doc); got != tc.head {
				t.Errorf("head %q, want %q", got, tc.head)
			}
		})
	}
}

func heads(doc research.Document) string {
	var out []string
	for _, h := range doc.Heads {
		out = append(out, doc.Text[h.Start:h.End])
	}
	return strings.Join(out, "\n")
}

// TestHeads: the first row of a table names its columns where the format says so, or where its words stand over figures; never where
// cells were joined.
func TestHeads(t *testing.T) {
	for _, tc := range []struct{ name, media, in, want string }{
		{"marked", HTML, "<table><tr><th>Package<th>Section<tr><td>dpkg<td>admin<tr><td>less<td>text</table>", "Package\tSection"},
		{"years as columns", HTML, "<table><tr><th>Town<th>2018<th>2019<tr><td>Errol<td>12<td>15</table>", "Town\t2018\t2019"},
		{"empty corner", HTML, "<table><tr><th><th>2018<th>2019<tr><th>Errol<td>12<td>15</table>", "2018\t2019"},
		{"unmarked over figures", HTML, "<table><tr><td>Town<td>People<tr><td>Errol<td>900</table>", "Town\tPeople"},
		{"unmarked words", HTML, "<table><tr><td>red<td>round<tr><td>blue<td>square</table>", ""},
		{"joined cells", HTML, "<table><tr><th>Town<th>2018<th>2019<tr><td rowspan=2>Errol<td>12<td>15<tr><td>13<td>16</table>", ""},
		{"headings down the side", HTML, "<table><tr><th>Town<td>Errol<tr><th>People<td>900</table>", ""},
		{"two rows of names", HTML, "<table><tr><th>Town<th>People<tr><th>name<th>number<tr><td>Errol<td>900</table>", ""},
		{"markdown", Markdown, "| Package | Section |\n|---|---|\n| dpkg | admin |\n", "Package\tSection"},
	} {
		doc, err := FromBytes(t.Context(), "x", tc.media, []byte(tc.in), Options{})
		if err != nil || doc.Fault != "" {
			t.Fatal(err, doc.Fault)
		}
		sound(t, doc)
		if got := heads(doc); got != tc.want {
			t.Errorf("%s: head %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestCSVRefuses: what would drown a library, or is no table, is refused with what to do about it.
func TestCSVRefuses(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"rows without end", strings.Repeat("a,1\n", mostRows+1), "more than 100000 rows"},
		{"a mark that nothing closes", "a,b\n1,2\n\"" + strings.Repeat("x,1\n", mostField), "a quotation mark is not closed"},
	} {
		doc, err := FromBytes(t.Context(), "x.csv", CSV, []byte(tc.in), Options{})
		if err != nil || !strings.Contains(doc.Fault, tc.want) || doc.Verdict != research.Unread || doc.Text != "" {
			t.Errorf("%s: %v %q %s", tc.name, err, doc.Fault, doc.Verdict)
		}
	}
}
