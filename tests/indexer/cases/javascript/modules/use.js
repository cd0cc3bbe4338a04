import measureIt, { makeSquare as make, shown } from './lib/shapes'; //: imports lib/shapes.js; references lib/shapes.js::measure, lib/shapes.js::makeSquare, lib/shapes.js::hidden
import * as barrel from './lib'; //: imports lib/index.js
import { service } from './lib/shapes'; //: imports lib/shapes.js
import { Square, measure, all } from './lib/index.js';
import './lib/shapes.js'; //: imports lib/shapes.js
import nothing from 'outside';

export function run() {
  const square = make(); //: calls lib/shapes.js::makeSquare
  square.area(); //: calls lib/shapes.js::Square.area
  measureIt(square); //: calls lib/shapes.js::measure
  shown(); //: calls lib/shapes.js::hidden
  barrel.makeSquare().area(); //: calls lib/shapes.js::makeSquare, lib/shapes.js::Square.area
  all.measure; //: references lib/shapes.js
  new Square().area(); //: calls lib/shapes.js::Square, lib/shapes.js::Square.area
  measure(new Square()); //: calls lib/shapes.js::measure, lib/shapes.js::Square
  nothing(); //: calls -
}

export async function later() {
  const shapes = await import('./lib/shapes.js'); //: imports lib/shapes.js
  shapes.makeSquare(); //: calls lib/shapes.js::makeSquare
  return import('./lib').then((lib) => lib.makeSquare()); //: calls lib/shapes.js::makeSquare
}
