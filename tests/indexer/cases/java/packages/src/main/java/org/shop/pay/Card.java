package org.shop.pay;

public class Card {
    public void charge() {}

    public enum Kind {
        DEBIT, CREDIT;

        static Kind parse(String s) { return DEBIT; }
    }
}
