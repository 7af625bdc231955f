defmodule ShopTest do
  use ExUnit.Case
  test "two", do: assert Shop.price(2, 3) == 6
  test "nothing" do
    assert Shop.price(0, 3) == 1
  end
  @tag :skip
  test "all", do: assert false
  describe "inner" do
    test "raises" do
      raise "no such ware\nsecond line"
    end
  end
end
