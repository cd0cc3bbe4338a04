from app import home
from django.urls import path

urlpatterns = [
    path("home/", home),  #: handles app.py::home
]
