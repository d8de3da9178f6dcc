// The calls of the table by Lettuce: HOST PORT PREFIX.
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

class LettuceCalls {
  interface Call {
    void run() throws Exception;
  }

  static void expect(Object found, Object wanted) {
    if (!Objects.equals(found, wanted)) throw new AssertionError(found + ", expected " + wanted);
  }

  static void line(String name, Call call) {
    try {
      call.run();
      System.out.println(name + "\tok");
    } catch (Exception | AssertionError e) {
      System.out.println(name + "\t" + e);
    }
  }

  static void pipeline(StatefulRedisConnection<String, String> connection, String p) throws Exception {
    RedisAsyncCommands<String, String> async = connection.async();
    List<RedisFuture<?>> asked = new ArrayList<>();
    List<Object> wanted = new ArrayList<>();
    connection.setAutoFlushCommands(false);
    for (int i = 0; i < 100; ++i) {
      asked.add(async.set(p + "p" + i, "" + i));
      asked.add(async.get(p + "p" + i));
      wanted.addAll(List.of("OK", "" + i));
    }
    connection.flushCommands();
    connection.setAutoFlushCommands(true);
    List<Object> found = new ArrayList<>();
    for (RedisFuture<?> one : asked) found.add(one.get(10, TimeUnit.SECONDS));
    expect(found, wanted);
  }

  static void transaction(RedisCommands<String, String> client, String p) {
    expect(client.multi(), "OK");
    List<Object> wanted = new ArrayList<>();
    for (int i = 0; i < 10; ++i) {
      client.set(p + "t" + i, "" + i);
      client.incr(p + "t" + i);
      wanted.addAll(List.of("OK", i + 1L));
    }
    client.get(p + "none");
    wanted.add(null);
    expect(client.exec().stream().toList(), wanted);
  }

  static void expire(RedisCommands<String, String> client, String key) {
    expect(client.expire(key, 100), true);
    long left = client.ttl(key);
    expect(List.of(left > 0 && left <= 100, client.persist(key), client.ttl(key)), List.of(true, true, -1L));
  }

  static void subscribe(RedisClient library) {
    try (StatefulRedisPubSubConnection<String, String> channels = library.connectPubSub()) {
      channels.async().subscribe("news").get(10, TimeUnit.SECONDS);
      System.out.println("pub/sub\twas not refused");
    } catch (Exception e) {
      System.out.println("pub/sub\trefused\t" + e.getMessage());
    }
  }

  public static void main(String[] words) {
    String p = words[2];
    RedisClient library = RedisClient.create("redis://" + words[0] + ":" + words[1]);
    StatefulRedisConnection<String, String> connection = library.connect();
    RedisCommands<String, String> client = connection.sync();
    line("set", () -> expect(client.set(p + "a", "1"), "OK"));
    line("get", () -> expect(Arrays.asList(client.get(p + "a"), client.get(p + "none")), Arrays.asList("1", null)));
    line("incr", () -> expect(List.of(client.incr(p + "a"), client.incrby(p + "a", 10), client.decr(p + "a")),
                              List.of(2L, 12L, 11L)));
    line("mget", () -> {
      client.mset(Map.of(p + "b", "x", p + "c", "y"));
      expect(client.mget(p + "b", p + "none", p + "c"),
             List.of(KeyValue.just(p + "b", "x"), KeyValue.empty(p + "none"), KeyValue.just(p + "c", "y")));
    });
    line("expire", () -> expire(client, p + "b"));
    line("pipeline", () -> pipeline(connection, p));
    line("transaction", () -> transaction(client, p));
    subscribe(library);
    connection.close();
    library.shutdown();
  }
}
