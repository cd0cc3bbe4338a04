const { listUsers } = require('../app');

describe('users', () => {
  it('are listed', () => {
    listUsers(); //: calls app.js::listUsers; tests app.js::listUsers
  });
});
