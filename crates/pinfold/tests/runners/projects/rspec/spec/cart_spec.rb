RSpec.describe "cart" do
  def price(count, each) = count * each
  it("two cost twice as much") { expect(price(2, 3)).to eq 6 }
  it("nothing costs nothing") { expect(price(0, 3)).to eq 1 }
  it("all prices")
  xit("later") { expect(1).to eq 2 }
  describe "inner" do
    it("raises") { raise "no such ware\nsecond line" }
  end
end
