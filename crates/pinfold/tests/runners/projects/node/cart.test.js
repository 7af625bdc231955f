const { describe, it, test } = require('node:test'); const assert = require('node:assert')
const price = (count, each) => count * each
describe('cart', () => {
  it('two cost twice as much', () => assert.equal(price(2, 3), 6))
  it('nothing costs nothing', () => { assert.strictEqual(price(0, 3), 1) })
  it('all prices', { skip: 'takes an hour' }, () => {})
  it('later', { todo: true }, () => {})
  describe('inner', () => { it('throws', () => { throw new Error('no such ware\nsecond line') }) })
})
test('alone', () => {})
test('with parts', async (t) => { await t.test('part one', () => {}); await t.test('part two', () => { assert.ok(false) }) })
