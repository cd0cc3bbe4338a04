module.exports = class Application {
  use(middleware) {}
}
