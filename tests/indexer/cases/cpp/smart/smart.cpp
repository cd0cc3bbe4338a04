#include <memory>
#include <vector>
struct Job { void run() {} Job* next() { return this; } };

void use(std::vector<Job> jobs, std::unique_ptr<Job> own) {
  for (auto& job : jobs) job.run(); //: calls Job.run
  jobs[0].run(); //: calls Job.run
  jobs.back().run(); //: calls Job.run
  own->run(); //: calls Job.run
  auto made = std::make_unique<Job>(); //: calls Job
  made->next()->run(); //: calls Job.next, Job.run
}
