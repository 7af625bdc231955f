package crash

import "testing"

func TestPanics(t *testing.T) { var m map[string]int; m["a"] = 1 }
