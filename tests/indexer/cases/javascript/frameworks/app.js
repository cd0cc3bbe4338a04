const express = require('express');
const app = express();

function listUsers(request, response) {
  response.json([]);
}

app.get('/users', listUsers); //: handles listUsers
app.post('/users', (request, response) => response.json({})); //: handles <lambda1>
app.get('setting'); //: handles -

module.exports = { app, listUsers };
