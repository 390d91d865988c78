package bench
import ("testing";"os";"path/filepath";"context";"fmt";"strings";"assay/engine/provenance";"bufio";"encoding/json")
func TestProbeBias(t *testing.T) {
 for _, set := range []string{"a_article_extraction/dev","a_trafilatura_segments/dev","a_byline_postlight/dev","a_readability_pages/dev"} {
  dir := filepath.Join("/work/shared/data/eval", set)
  n, k, b := 0, 0, 0
  fs, _ := os.ReadDir(filepath.Join(dir,"html"))
  for _, f := range fs {
   d, err := readPage(context.Background(), dir, "html/"+f.Name(), "https://site.example/x/"+strings.TrimSuffix(f.Name(),".html.gz"))
   if err != nil { continue }
   n++
   if said, full := provenance.Filler(d.Text); full < 1 { k++; fmt.Println("  FILL", set, f.Name(), full, said) }
   o, _ := provenance.OriginOf(d)
   if x := provenance.Bias(d, o, nil); len(x) > 0 { b++; fmt.Println("  BIAS", set, f.Name(), x, d.Title) }
  }
  fmt.Println(set, n, k, b)
 }
 f, _ := os.Open("/work/shared/data/eval/g_ai_text/dev/human_vs_gpt.jsonl"); sc := bufio.NewScanner(f); sc.Buffer(nil, 1<<24)
 c := map[string][2]int{}
 for sc.Scan() { var r struct{Label, Text string}; json.Unmarshal(sc.Bytes(), &r); _, full := provenance.Filler(r.Text); v := c[r.Label]; v[0]++; if full<1 {v[1]++}; c[r.Label]=v }
 fmt.Println(c)
}
