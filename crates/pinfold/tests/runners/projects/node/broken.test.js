require('./missing.js')
