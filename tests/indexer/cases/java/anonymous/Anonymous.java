interface Job {
    void run();
}

class Boss {
    void help() {}

    void assign() {
        Job job = new Job() {
            int tries;

            public void run() {
                help(); //: calls Boss.help
                again(); //: calls -
            }

            void again() {}
        };
        job.run(); //: calls Job.run
        class Local {
            void own() { help(); } //: calls Boss.help
        }
        new Local().own(); //: calls Boss.assign.Local, Boss.assign.Local.own
    }
}
