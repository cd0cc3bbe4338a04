package org.shop;

import org.shop.pay.Card;

class Basket {
    void add(Card card) {
        card.charge(); //: calls src/main/java/org/shop/pay/Card.java::Card.charge
    }
}
