require('./missing.js')
test('never', () => {})
