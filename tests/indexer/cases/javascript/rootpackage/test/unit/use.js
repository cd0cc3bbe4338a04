const Application = require('../..')
const Same = require('app')

const app = new Application() //: calls lib/application.js::Application
app.use(1) //: calls lib/application.js::Application.use
new Same().use(2) //: calls lib/application.js::Application, lib/application.js::Application.use
