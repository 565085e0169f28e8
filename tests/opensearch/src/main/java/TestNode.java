import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * One OpenSearch node on loopback. Arguments are settings, NAME=VALUE. Writes "ready" when it has joined its cluster; ends
 * when standard input does, so it never outlives who started it, and on SIGTERM.
 */
public final class TestNode extends Node {
    private static final List<Class<? extends Plugin>> PLUGINS =
        List.of(Netty4Plugin.class, PainlessPlugin.class, CommonAnalysisPlugin.class);

    private TestNode(Environment environment) {
        super(environment, PLUGINS, false);
    }

    public static void main(String[] arguments) throws Exception {
        Thread watch = new Thread(TestNode::endWithInput, "input");
        watch.setDaemon(true);
        watch.start();
        Settings.Builder settings = Settings.builder().put("network.host", "127.0.0.1");
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            settings.put(parts[0], parts[1]);
        }
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), null, () -> "test");
        TestNode node = new TestNode(environment);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(node), "stop"));
        node.start();
        System.out.println("ready");
        System.out.flush();
        new CountDownLatch(1).await();
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                continue;
            }
        } catch (java.io.IOException gone) {
            System.err.println(gone.getMessage());
        }
        Thread impatience = new Thread(() -> {
            try {
                TimeUnit.SECONDS.sleep(5);
            } catch (InterruptedException early) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(1);
        }, "impatience");
        impatience.setDaemon(true);
        impatience.start();
        System.exit(0);
    }

    private static void stop(Node node) {
        try {
            node.close();
            node.awaitClose(4, TimeUnit.SECONDS);
        } catch (Exception failure) {
            System.err.println(failure.getMessage());
        }
    }
}
