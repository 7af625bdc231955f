package shop

import "testing"

func TestTwo(t *testing.T) {
	if Price(2, 3) != 6 {
		t.Fatal("wrong")
	}
}

func TestNothing(t *testing.T) {
	t.Log("logged")
	t.Errorf("price(0, 3) = %d, want 1", Price(0, 3))
}

func TestAll(t *testing.T) { t.Skip("takes an hour") }

func TestMany(t *testing.T) {
	for _, name := range []string{"one", "two"} {
		t.Run(name, func(t *testing.T) {
			if name == "two" {
				t.Error("two is wrong")
			}
		})
	}
}
