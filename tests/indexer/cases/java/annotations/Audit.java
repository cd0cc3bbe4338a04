@interface Audit { String value() default ""; }

@Audit("x") //: references Audit
class Service {
    @Audit //: references Audit
    Service self;

    @Deprecated
    void run(@Audit Service other) { //: references Audit, Service
        Class<?> c = Service.class; //: references Service
        other.self.run(null); //: calls Service.run
    }
}
