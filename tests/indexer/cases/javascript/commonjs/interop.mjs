import Counter from './counter.js';
import tools, { split } from './tools.js';

new Counter().step(); //: calls counter.js::Counter, counter.js::Counter.step
tools.join('a', 'b'); //: calls tools.js::join
split('a'); //: calls tools.js::split
