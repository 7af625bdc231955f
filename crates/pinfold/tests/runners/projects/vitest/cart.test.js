import { describe, expect, it, test } from 'vitest'
const price = (count, each) => count * each
describe('cart', () => {
  it('two cost twice as much', () => expect(price(2, 3)).toBe(6))
  it('nothing costs nothing', () => { console.log('printed by the test'); expect(price(0, 3)).toBe(1) })
  it.skip('all prices', () => {})
  it.todo('later')
  describe('inner', () => { it('throws', () => { throw new Error('no such ware\nsecond line') }) })
})
test('alone', () => {})
