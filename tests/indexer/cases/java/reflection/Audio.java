package plugins;

public class Audio {
    public void play() {}
}
