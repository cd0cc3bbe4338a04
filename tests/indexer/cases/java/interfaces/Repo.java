interface Repo<T> {
    T find(String id);
    default boolean has(String id) { return find(id) != null; } //: calls Repo.find, Memory.find
}

class User {
    void greet() {}
}

class Memory implements Repo<User> { //: implements Repo
    public User find(String id) { return null; } //: overrides Repo.find
}

class Service {
    private final Repo<User> repo;

    Service(Repo<User> repo) { this.repo = repo; }

    void run() {
        repo.has("1"); //: calls Repo.has
        this.repo.find("2"); //: calls Repo.find, Memory.find
        new Memory().find("3").greet(); //: calls Memory, Memory.find, User.greet
    }
}
