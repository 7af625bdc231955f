defmodule Shop do
  def price(count, each), do: count * each
end
