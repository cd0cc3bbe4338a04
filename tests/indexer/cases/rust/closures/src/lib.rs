struct Job;
impl Job { fn run(&self) {} }

fn work() {}

fn apply<F: Fn()>(f: F) {
    f(); //: calls work
}

fn f(jobs: Vec<Job>) {
    let g = work;
    g(); //: calls work
    apply(work); //: calls apply; references work
    let h = |j: &Job| j.run(); //: calls Job.run
    jobs.iter().map(|j| j.run()).count(); //: calls Job.run
    std::thread::spawn(move || { work(); }); //: calls work
}
