package shop

func Price(count, each int) int { return count * each }
