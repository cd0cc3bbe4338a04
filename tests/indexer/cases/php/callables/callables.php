<?php
class Job {
    public function work($x) {}
    public static function all() {}
    public function start(array $xs) {
        array_map([$this, 'work'], $xs); //: calls Job.work
        usort($xs, 'compare'); //: calls compare
        call_user_func('Job::all'); //: calls Job.all
        call_user_func([new Job(), 'work'], 1); //: calls Job, Job.work
        $name = 'work';
        $this->$name(); //: calls -
    }
}

function compare($a, $b) {
    if ($a instanceof Job) {
        $a->work(1); //: calls Job.work
    }
}
