CREATE TABLE teams (id INT PRIMARY KEY);
CREATE TABLE shop.users (id INT, team_id INT REFERENCES teams(id)); --: references teams
CREATE FUNCTION total(x INT) RETURNS INT AS $$ SELECT count(*) FROM users $$ LANGUAGE sql; --: references users
