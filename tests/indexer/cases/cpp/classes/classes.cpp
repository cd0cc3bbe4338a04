class Repository {
 public:
  int save(int id) { return id; }
  static Repository& shared() { static Repository r; return r; }
  class Cursor {
   public:
    int next() { return step(); } //: calls Repository.Cursor.step
   private:
    int step() { return 1; }
  };
  Cursor open() { return Cursor(); }
};

class Service {
 public:
  int run() {
    helper(); //: calls Service.helper
    this->helper(); //: calls Service.helper
    repo_.save(1); //: calls Repository.save
    Repository::shared().save(2); //: calls Repository.shared, Repository.save
    return repo_.open().next(); //: calls Repository.open, Repository.Cursor.next
  }

 private:
  void helper() {}
  Repository repo_;
};

void use(Service* service, Service& other) {
  service->run(); //: calls Service.run
  other.run(); //: calls Service.run
  auto copy = other;
  copy.run(); //: calls Service.run
}
