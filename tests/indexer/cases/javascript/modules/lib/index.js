export * from './shapes.js'; //: imports lib/shapes.js
export { default as measure } from './shapes.js'; //: references lib/shapes.js::measure
export * as all from './shapes';
