const Counter = require('./counter'); //: imports counter.js
const { split, join } = require('./tools');
const literal = require('./literal.js');
const tools = require('./tools');

const counter = new Counter(1); //: calls counter.js::Counter
counter.next(); //: calls counter.js::Counter.next
Counter.from('1').next(); //: calls counter.js::from, counter.js::Counter.next
split('a'); //: calls tools.js::split
tools.join('a', 'b'); //: calls tools.js::join
join('a', 'b'); //: calls tools.js::join
literal.run(); //: calls literal.js::run
literal.again(); //: calls literal.js::again
