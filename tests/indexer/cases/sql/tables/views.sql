CREATE VIEW active AS SELECT u.id FROM "Users" u JOIN teams t ON t.id = u.team_id; --: references schema.sql::users, schema.sql::teams
SELECT total(1) FROM active; --: calls schema.sql::total; references active
