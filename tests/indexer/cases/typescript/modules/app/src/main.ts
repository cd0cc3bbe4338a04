import { tool } from '@demo/tools'; //: imports packages/tools/src/index.ts
import { inner } from '@demo/tools/inner'; //: imports packages/tools/src/inner.ts
import { helper } from '@app/helper'; //: imports app/src/helper.ts
import { helper as again } from './helper.js'; //: imports app/src/helper.ts
import type { Shape } from 'app/src/helper'; //: imports app/src/helper.ts
import old = require('./old'); //: imports app/src/old.ts

tool(); //: calls packages/tools/src/index.ts::tool
inner(); //: calls packages/tools/src/inner.ts::inner
helper(); //: calls app/src/helper.ts::helper
again(); //: calls app/src/helper.ts::helper
old.go(); //: calls app/src/old.ts::Old.go

export function draw(shape: Shape) {} //: references app/src/helper.ts::Shape
