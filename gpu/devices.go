package gpu

// Devices are the cards of a status as a plan counts them, in its order and with their places in [Status.GPUs] as indices.
// Free is what one program may take now, nil where that is not known: a sleeping card, or a driver that does not tell.
//
// A board that is cut up counts as its largest free slice. Graphics in a processor count only where there is no other card,
// and only when their share of the machine's memory is known: two parts of one memory are not added. Cards that models cannot
// use are left out.
func (s Status) Devices() []Device {
	own, shared := []Device{}, []Device{}
	for i, g := range s.GPUs {
		d := Device{Index: i, Name: g.Name, Backend: backendOf(g), Total: g.MemoryTotal, Free: g.Usable, Unified: g.Shared}
		switch {
		case s.told(KindOtherDriver, i):
		case g.Shared && (g.Usable == nil || g.MemoryTotal == nil):
		case g.Shared:
			shared = append(shared, d)
		default:
			if g.sliced {
				d.Total = largestSlice(g)
			}
			own = append(own, d)
		}
	}
	if len(own) == 0 && len(shared) > 0 {
		return shared[:1]
	}
	return own
}

// told reports whether a condition of this kind was said about the card at place i.
func (s Status) told(k Kind, i int) bool {
	for _, c := range s.Conditions {
		if c.Kind == k && c.GPU == i {
			return true
		}
	}
	return false
}

// largestSlice is the size of the slice with the most free memory, nil when none is known.
func largestSlice(g GPU) *int64 {
	var total *int64
	var most int64 = -1
	for _, sl := range g.Slices {
		if sl.Total != nil && sl.Used != nil && *sl.Total-*sl.Used > most {
			most, total = *sl.Total-*sl.Used, sl.Total
		}
	}
	return total
}

// backendOf is how Ollama computes on a card of this vendor.
func backendOf(g GPU) Backend {
	switch g.Vendor {
	case "nvidia":
		return CUDA
	case "amd":
		return ROCm
	case "intel":
		return Vulkan
	case "apple":
		return Metal
	}
	return OtherCard
}
