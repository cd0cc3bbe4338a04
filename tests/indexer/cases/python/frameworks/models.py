from django.db import models
from django.forms import ModelForm


class Author(models.Model):
    def shout(self):
        pass


class AuthorForm(ModelForm):
    class Meta:
        model = Author

    def check(self):
        self.instance.shout()  #: calls Author.shout


Author.objects.create().shout()  #: calls Author.shout
for author in Author.objects.filter(name="x").exclude(age=1):
    author.shout()  #: calls Author.shout
found, made = Author.objects.get_or_create(name="x")
found.shout()  #: calls Author.shout
