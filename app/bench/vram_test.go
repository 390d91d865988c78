package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ownCases is a table of our own: the sizes follow from the formula by hand, and one row of each kind is wrong on purpose, so
// that the bench is seen to find it.
const ownCases = `case_id,model,quant,arch,n_layer,n_embd,n_head,n_head_kv,head_dim_k,head_dim_v,n_vocab,swa_window,swa_rule,mla,num_ctx,num_parallel,kv_cells,n_batch,n_ubatch,kv_type_k,kv_type_v,flash_attn,gpu,weights_gpu_mib,weights_cpu_mib,kv_mib,total_mib,total_kind,split,engine,version,kv_formula,inferred,note
a1,llama3.1:8b,Q4_K_M,llama,32,4096,32,8,128,128,128256,,,,8192,1,8192,512,512,f16,f16,on,CUDA0,,,1024.00,,,,llama.cpp,,full,,
a2,llama3.1:8b,Q4_K_M,llama,32,4096,32,8,128,128,128256,,,,8192,1,8192,512,512,q8_0,q8_0,on,CUDA0,,,544.00,,,,llama.cpp,,full,,
a3,some model,,gemma3,6,256,4,1,256,256,1000,512,(i+1)%6!=0,,8192,1,8192,512,512,f16,f16,on,CUDA0,,,13.00,,,,llama.cpp,,llamacpp-iswa,,
a4,a hybrid,,qwen35,8,256,4,2,128,128,1000,,full every 4th (full_attention_interval=4),,4096,1,4096,512,512,f16,f16,on,CUDA0,,,8.00,,,,llama.cpp,,hybrid:2,,
a5,wrong,,llama,32,4096,32,8,128,128,128256,,,,8192,1,8192,512,512,f16,f16,on,CUDA0,,,1030.00,,,,llama.cpp,,full,,
a6,printed in GiB,,llama,32,4096,32,8,128,128,128256,,,,8192,1,8192,512,512,f16,f16,off,CUDA0,,,1024.0,,,,ollama-old,0.5.7,full,,
a7,no layers,,llama,,4096,32,8,128,128,128256,,,,8192,1,8192,512,512,f16,f16,on,CUDA0,,,1024.00,,,,llama.cpp,,full,,
a8,llama3.1:8b,Q4_K_M,llama,32,4096,32,8,128,128,128256,,,,8192,1,8192,512,512,f16,f16,off,CUDA0,4403.49,281.81,1024.00,6147.0,sum of device buffers,33/33,llama.cpp,,full,,with a LoRA
a9,llama3.1:8b,Q4_K_M,llama,32,4096,32,8,128,128,128256,,,,8192,1,8192,512,512,f16,f16,off,CUDA0,4403.49,281.81,1024.00,16147.0,nvidia-smi (measured),33/33,llama.cpp,,full,,
b2,unheard of,Q8_0,llama,32,4096,32,8,128,128,128256,,,,8192,1,8192,512,512,f16,f16,on,CUDA0,,,,9000.0,nvidia-smi (measured),,llama.cpp,,full,,
b1,llama3.1:8b,Q4_K_M,llama,32,4096,32,8,128,128,128256,,,,8192,1,8192,512,512,f16,f16,off,CUDA0,,,1024.00,9000.0,ollama ps SIZE,,ollama-old,0.5.7,full,,
`

const ownSweep = `arch,hf_repo,file,n_ctx,full_offload_layers,compute_full_offload_mib,settings
qwen2,Qwen/Qwen2.5-3B-Instruct-GGUF,qwen2.5-3b-instruct-q4_k_m.gguf,4096,37,60.0,FA on q8_0/q8_0 -b 2048 -ub 512 -np 1 CUDA
llama,x/Llama-3.2-1B-Instruct-GGUF,Llama-3.2-1B-Instruct-Q4_K_M.gguf,4096,17,9000.0,FA on q8_0/q8_0 -b 2048 -ub 512 -np 1 CUDA
llama,x/Llama-3.2-1B-Instruct-GGUF,Llama-3.2-1B-Instruct-Q4_K_M.gguf,4096,99,60.0,FA on q8_0/q8_0 -b 2048 -ub 512 -np 1 CUDA
other,x/Unheard-Of-7B-GGUF,Unheard-Of-7B-Q4_K_M.gguf,4096,33,60.0,FA on q8_0/q8_0 -b 2048 -ub 512 -np 1 CUDA
`

// vramOn runs the bench over a folder and returns its figures.
func vramOn(t *testing.T, dir string, more ...string) vramResult {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main(context.Background(), append([]string{"vram", "--data", dir, "--json"}, more...), &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var r vramResult
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestVRAMBench(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"any.csv": ownCases, "other.csv": ownSweep, "unrelated.csv": "a,b\n1,2\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	predictions := filepath.Join(dir, "out.jsonl")
	r := vramOn(t, dir, "--predictions", predictions)
	if r.KVRowsMiB != 7 || r.KVRowsGiB != 2 || len(r.KVUnread) != 1 {
		t.Errorf("%d rows in MiB, %d in GiB, unread %q", r.KVRowsMiB, r.KVRowsGiB, r.KVUnread)
	}
	if r.KVWorst[0].ID != "a5" || r.KVMaxErrorMiBRows < 0.005 || r.KVMaxErrorMiBRows > 0.006 {
		t.Errorf("worst row %+v, largest error %v; want a5, which is wrong by 0.58 %%", r.KVWorst[0], r.KVMaxErrorMiBRows)
	}
	for _, x := range r.KVWorst[1:] {
		if x.Error != 0 {
			t.Errorf("%s: %.2f logged, %.2f predicted", x.ID, x.Measured, x.Predicted)
		}
	}
	if r.ComputeN != 2 || r.ComputeUnder != 1 || len(r.ComputeUnknown) != 2 {
		t.Errorf("working memory: %d rows, %d under, unknown %q", r.ComputeN, r.ComputeUnder, r.ComputeUnknown)
	}
	if r.TotalN != 3 || r.TotalUnder != 1 || len(r.TotalListed) != 1 {
		t.Errorf("totals: %d rows, %d under, %d listed", r.TotalN, r.TotalUnder, len(r.TotalListed))
	}
	for _, x := range r.TotalRows {
		if x.ID == "a8" && (x.Parts["adapter"] != 160 || x.Error < 0 || x.Error > 0.01) {
			t.Errorf("with a LoRA: %+v", x)
		}
		if x.ID == "a9" && (!strings.Contains(x.Note, "UNDER") || x.Parts["overhead"] != 460) {
			t.Errorf("a total that is not reached: %+v", x)
		}
	}
	b, err := os.ReadFile(predictions)
	if lines := strings.Count(string(b), "\n"); err != nil || lines != 9+2+4 {
		t.Errorf("%d predictions, %v", lines, err)
	}
	if r.N != r.KVRowsMiB+r.ComputeN+r.TotalN {
		t.Errorf("n = %d", r.N)
	}
}

func TestVRAMBenchFaults(t *testing.T) {
	for _, args := range [][]string{{"vram"}, {"vram", "--data", filepath.Join(t.TempDir(), "absent")}, {"vram", "--data", t.TempDir()}} {
		var out, errs bytes.Buffer
		if code := Main(context.Background(), args, &out, &errs); code == 0 || errs.Len() == 0 {
			t.Errorf("%v: exit %d, %q", args, code, errs.String())
		}
	}
}

// TestVRAMBenchOnData holds the targets on the measured cases, where they are.
func TestVRAMBenchOnData(t *testing.T) {
	dir := os.Getenv("ASSAY_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir = filepath.Join(dir, "vram")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("needs the measured cases in ../shared/data/vram or $ASSAY_DATA/vram")
	}
	r := vramOn(t, dir)
	if r.KVRowsMiB < 50 || r.KVMaxErrorMiBRows > 0.0002 {
		t.Errorf("cache: %d rows, largest error %.4f %%: %+v", r.KVRowsMiB, 100*r.KVMaxErrorMiBRows, r.KVWorst[0])
	}
	if r.ComputeN < 40 || r.ComputeUnder > 0 {
		t.Errorf("working memory: %d rows, %d under the measurement", r.ComputeN, r.ComputeUnder)
	}
	if r.TotalN == 0 || r.TotalUnder > 0 {
		t.Errorf("totals: %d rows, %d under by more than 1 %%", r.TotalN, r.TotalUnder)
	}
}

func TestFitBench(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Main(context.Background(), []string{"fit", "--limit", "150", "--json"}, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var r fitResult
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.N != 150 || r.Planned+r.Refused != r.N || r.Planned < 50 || r.Compared < 50 || r.Better == 0 {
		t.Errorf("%+v", r)
	}
	if r.Spills+r.Reserve+r.Unlabelled+r.Worse+r.Unexpected != 0 {
		t.Errorf("%+v", r)
	}
}

// A row whose figure cannot be read is named and not left out in silence.
func TestVRAMUnread(t *testing.T) {
	dir := t.TempDir()
	rows := "case_id,arch,num_ctx,kv_mib\nc1,llama,4096,12x4\nc2,llama,4096,\n"
	if err := os.WriteFile(filepath.Join(dir, "cases.csv"), []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := bench(t, "vram", "--data", dir, "--json")
	if code != 0 || !strings.Contains(stdout, "c1: kv_mib is") || strings.Contains(stdout, "c2") {
		t.Errorf("exit %d\n%s\n%s", code, stdout, stderr)
	}
}
