from django.shortcuts import render
from flask import render_template, send_file


def cart(request):
    return render(request, "shop/cart.html", {})  #: references shop/templates/shop/cart.html


def page(name):
    render_template("missing.html")  #: references -
    render_template(name)  #: references -
    send_file("notes.json")  #: references shop/notes.json
