from flask import Flask

app = Flask(__name__)


@app.route("/users", methods=["POST"])
def create_user():  #: handles create_user; contains create_user, POST /users
    return store()  #: calls store


@app.get("/")
def home():  #: handles home
    return ""


def store():
    pass
