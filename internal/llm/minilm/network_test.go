package minilm

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/problem"
)

// small is a network that plain Go runs in a moment.
var small = shape{words: 40, positions: 64, layers: 2, heads: 3, width: 96, inner: 192}

// tensors is a model file in the making.
type tensors struct {
	header map[string]tensor
	data   []byte
	random *rand.Rand
}

func (f *tensors) add(name, kind string, data []byte, dimensions ...int) {
	f.header[name] = tensor{kind, dimensions, [2]int{len(f.data), len(f.data) + len(data)}}
	f.data = append(f.data, data...)
}

// numbers adds normally distributed numbers around a middle.
func (f *tensors) numbers(name string, middle, deviation float64, dimensions ...int) {
	n := 1
	for _, k := range dimensions {
		n *= k
	}
	var data []byte
	for range n {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(middle+f.random.NormFloat64()*deviation)))
	}
	f.add(name, "F32", data, dimensions...)
}

// matrix adds bytes with scales, one for each of so many.
func (f *tensors) matrix(name, scale string, rows, columns, scales int) {
	data := make([]byte, rows*columns)
	for i := range data {
		data[i] = byte(int8(max(-127, min(127, f.random.NormFloat64()*40))))
	}
	f.add(name, "I8", data, rows, columns)
	f.numbers(scale, 1.5/40/math.Sqrt(float64(rows)), 1e-4, scales)
}

func (f *tensors) file() []byte {
	header, _ := json.Marshal(f.header)
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header, f.data)
}

// model makes a file of a network of random weights.
func model(seed uint64, s shape) *tensors {
	f := &tensors{header: map[string]tensor{}, random: rand.New(rand.NewPCG(seed, 3))}
	f.matrix("emb.word", "emb.word.scale", s.words, s.width, s.words)
	f.matrix("emb.pos", "emb.pos.scale", s.positions, s.width, s.positions)
	f.numbers("emb.type", 0, 0.1, 2, s.width)
	norm := func(name string) {
		f.numbers(name+".w", 1, 0.2, s.width)
		f.numbers(name+".b", 0, 0.2, s.width)
	}
	norm("emb.ln")
	for i := range s.layers {
		for _, part := range []struct {
			name            string
			inputs, outputs int
		}{{"q", s.width, s.width}, {"k", s.width, s.width}, {"v", s.width, s.width}, {"o", s.width, s.width}, {"fc1", s.width, s.inner}, {"fc2", s.inner, s.width}} {
			name := fmt.Sprint(i, ".", part.name)
			f.matrix(name+".w", name+".w.scale", part.inputs, part.outputs, part.outputs)
			f.numbers(name+".b", 0, 0.1, part.outputs)
		}
		norm(fmt.Sprint(i, ".ln1"))
		norm(fmt.Sprint(i, ".ln2"))
	}
	return f
}

func readSmall(t testing.TB, k *kernels) *network {
	t.Helper()
	n, err := readNetwork(model(5, small).file(), small, k)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// plainly computes a text's vector by the definition of the network, in double precision, with
// nothing rounded to bytes but what the file holds.
func plainly(t testing.TB, file []byte, s shape, ids []int32) []float32 {
	t.Helper()
	a, err := openArchive(file)
	if err != nil {
		t.Fatal(err)
	}
	o := oracle{&reader{archive: a}, s}
	out := o.vector(ids)
	if o.err != nil {
		t.Fatal(o.err)
	}
	return out
}

// oracle reads every tensor when it needs it.
type oracle struct {
	*reader
	shape
}

func (o oracle) vector(ids []int32) []float32 {
	var rows [][]float64
	kind := o.floats("emb.type", 2, o.width)
	for position, id := range ids {
		row := make([]float64, o.width)
		word, place := o.row("emb.word", o.words, int(id)), o.row("emb.pos", o.positions, position)
		for i := range row {
			row[i] = word[i] + place[i] + float64(kind[i])
		}
		rows = append(rows, o.norm("emb.ln", row))
	}
	for i := range o.layers {
		rows = o.layer(fmt.Sprint(i, "."), rows)
	}
	out, squares := make([]float32, o.width), 0.0
	for i := range out {
		sum := 0.0
		for _, row := range rows {
			sum += row[i]
		}
		out[i], squares = float32(sum), squares+sum*sum
	}
	for i := range out {
		out[i] /= float32(math.Sqrt(squares))
	}
	return out
}

func (o oracle) row(name string, rows, row int) []float64 {
	scale := float64(o.floats(name+".scale", rows)[row])
	out := make([]float64, o.width)
	for i, b := range o.integers(name, rows, o.width)[row*o.width:][:o.width] {
		out[i] = float64(int8(b)) * scale
	}
	return out
}

func (o oracle) norm(name string, row []float64) []float64 {
	factor, shift := o.floats(name+".w", o.width), o.floats(name+".b", o.width)
	mean, variance := 0.0, 0.0
	for _, v := range row {
		mean += v / float64(o.width)
	}
	for _, v := range row {
		variance += (v - mean) * (v - mean) / float64(o.width)
	}
	out := make([]float64, o.width)
	for i, v := range row {
		out[i] = (v-mean)/math.Sqrt(variance+1e-12)*float64(factor[i]) + float64(shift[i])
	}
	return out
}

func (o oracle) dense(name string, row []float64, outputs int) []float64 {
	weights, scales, bias := o.integers(name+".w", len(row), outputs), o.floats(name+".w.scale", outputs), o.floats(name+".b", outputs)
	out := make([]float64, outputs)
	for j := range out {
		sum := 0.0
		for i, v := range row {
			sum += v * float64(int8(weights[i*outputs+j]))
		}
		out[j] = sum*float64(scales[j]) + float64(bias[j])
	}
	return out
}

func (o oracle) layer(name string, rows [][]float64) [][]float64 {
	var queries, keys, values [][]float64
	for _, row := range rows {
		queries = append(queries, o.dense(name+"q", row, o.width))
		keys = append(keys, o.dense(name+"k", row, o.width))
		values = append(values, o.dense(name+"v", row, o.width))
	}
	out := make([][]float64, len(rows))
	for t, row := range rows {
		mixed := make([]float64, o.width)
		for head := range o.heads {
			from, to := head*headWidth, (head+1)*headWidth
			sum := 0.0
			weights := make([]float64, len(rows))
			for u := range rows {
				score := 0.0
				for i := from; i < to; i++ {
					score += queries[t][i] * keys[u][i]
				}
				weights[u] = math.Exp(score / math.Sqrt(headWidth))
				sum += weights[u]
			}
			for u := range rows {
				for i := from; i < to; i++ {
					mixed[i] += weights[u] / sum * values[u][i]
				}
			}
		}
		joined := o.norm(name+"ln1", sum(row, o.dense(name+"o", mixed, o.width)))
		inner := o.dense(name+"fc1", joined, o.inner)
		for i, v := range inner {
			inner[i] = v / 2 * (1 + math.Erf(v/math.Sqrt2))
		}
		out[t] = o.norm(name+"ln2", sum(joined, o.dense(name+"fc2", inner, o.width)))
	}
	return out
}

func sum(a, b []float64) []float64 {
	out := slices.Clone(a)
	for i, v := range b {
		out[i] += v
	}
	return out
}

// someTexts makes up to five texts of up to 40 tokens.
func someTexts(random *rand.Rand) [][]int32 {
	out := make([][]int32, 1+random.IntN(5))
	for i := range out {
		for range 1 + random.IntN(40) {
			out[i] = append(out[i], random.Int32N(int32(small.words)))
		}
	}
	return out
}

func TestNetworkDoesWhatItsDefinitionSays(t *testing.T) {
	file := model(5, small).file()
	everyLevel(t, func(t *testing.T, k *kernels) {
		n := readSmall(t, k)
		s := n.memory(200, 40)
		for seed := range uint64(6) {
			texts := someTexts(rand.New(rand.NewPCG(seed, 4)))
			got, err := n.embed(context.Background(), s, texts)
			if err != nil || len(got) != len(texts) {
				t.Fatalf("%d vectors, %v", len(got), err)
			}
			last := len(texts) - 1
			if c := cosine(got[last], plainly(t, file, small, texts[last])); c < 0.999 {
				t.Fatalf("seed %d: the cosine to the definition is %.5f", seed, c)
			}
		}
	})
}

func TestTextsInOneBatchDoNotInfluenceEachOther(t *testing.T) {
	everyLevel(t, func(t *testing.T, k *kernels) {
		n := readSmall(t, k)
		s := n.memory(200, 40)
		for seed := range uint64(10) {
			texts := someTexts(rand.New(rand.NewPCG(seed, 6)))
			together, err := n.embed(context.Background(), s, texts)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range texts {
				alone, err := n.embed(context.Background(), s, [][]int32{text})
				if err != nil || !slices.Equal(alone[0], together[i]) {
					t.Fatalf("seed %d: text %d of %d has another vector when it is alone (%v)", seed, i, len(texts), err)
				}
			}
		}
	})
}

func TestModelAgreesWithItsDefinition(t *testing.T) {
	ids, _ := words(t).tokens("valve", MaxTokens)
	want := plainly(t, weightFile, miniLM, ids)
	everyLevel(t, func(t *testing.T, k *kernels) {
		got, err := at(k).Embed(context.Background(), []string{"valve"})
		if err != nil {
			t.Fatal(err)
		}
		c := cosine(got[0], want)
		t.Logf("rounding activations to bytes leaves a cosine of %.5f", c)
		if c < 0.997 {
			t.Errorf("the cosine to the definition is %.5f", c)
		}
	})
}

func TestBrokenModelFilesAreRefused(t *testing.T) {
	header := func(text string) []byte {
		return append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	}
	missing, other, short, outside := model(5, small), model(5, small), model(5, small), model(5, small)
	delete(missing.header, "1.fc2.w")
	other.header["0.q.w"] = tensor{"F32", other.header["0.q.w"].Shape, other.header["0.q.w"].Offsets}
	at := short.header["emb.word"].Offsets
	short.header["emb.word"] = tensor{"I8", []int{small.words, small.width}, [2]int{at[0], at[1] - 1}}
	outside.header["0.ln1.b"] = tensor{"F32", []int{small.width}, [2]int{len(outside.data), len(outside.data) + 4*small.width}}
	narrow := small
	narrow.width--
	tests := []struct {
		name  string
		file  []byte
		shape shape
		want  string
	}{
		{"nothing", nil, small, "first line"},
		{"a header without end", append(header("{}"), 1)[:9], small, "longer than the file"},
		{"a header of all there is", slices.Repeat([]byte{0xff}, 20), small, "longer than the file"},
		{"a header that is no object", header("[1]"), small, "no JSON object"},
		{"a tensor that is no object", header(`{"x":1}`), small, "x is not described"},
		{"no tensors", header(`{"__metadata__":{"a":"b"}}`), small, "no tensor emb.word"},
		{"a tensor is missing", missing.file(), small, "no tensor 1.fc2.w"},
		{"a tensor of another type", other.file(), small, "0.q.w is F32"},
		{"a tensor that is too short", short.file(), small, "has 3839 bytes"},
		{"a tensor outside the file", outside.file(), small, "outside the file"},
		{"another shape", model(5, small).file(), narrow, "not I8 [40 95]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readNetwork(tt.file, tt.shape, scalar())
			var p *problem.Error
			if !errors.As(err, &p) || p.Kind != problem.Internal || p.Code != "embedding_model" || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an internal error with %q", err, tt.want)
			}
		})
	}
}
