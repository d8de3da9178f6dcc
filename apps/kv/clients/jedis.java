// The calls of the table by Jedis: HOST PORT PREFIX.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Transaction;

class JedisCalls {
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

  static void pipeline(Jedis client, String p) {
    Pipeline pipe = client.pipelined();
    List<Object> wanted = new ArrayList<>();
    for (int i = 0; i < 100; ++i) {
      pipe.set(p + "p" + i, "" + i);
      pipe.get(p + "p" + i);
      wanted.addAll(List.of("OK", "" + i));
    }
    expect(pipe.syncAndReturnAll(), wanted);
  }

  static void transaction(Jedis client, String p) {
    Transaction all = client.multi();
    List<Object> wanted = new ArrayList<>();
    for (int i = 0; i < 10; ++i) {
      all.set(p + "t" + i, "" + i);
      all.incr(p + "t" + i);
      wanted.addAll(List.of("OK", i + 1L));
    }
    all.get(p + "none");
    wanted.add(null);
    expect(all.exec(), wanted);
  }

  static void expire(Jedis client, String key) {
    expect(client.expire(key, 100), 1L);
    long left = client.ttl(key);
    expect(List.of(left > 0 && left <= 100, client.persist(key), client.ttl(key)), List.of(true, 1L, -1L));
  }

  static void subscribe(String host, int port) {
    try (Jedis client = new Jedis(host, port)) {
      client.subscribe(new JedisPubSub() {
        @Override
        public void onSubscribe(String channel, int count) {
          unsubscribe();
        }
      }, "news");
      System.out.println("pub/sub\twas not refused");
    } catch (Exception e) {
      System.out.println("pub/sub\trefused\t" + e.getMessage());
    }
  }

  public static void main(String[] words) {
    String host = words[0], p = words[2];
    int port = Integer.parseInt(words[1]);
    try (Jedis client = new Jedis(host, port)) {
      line("set", () -> expect(client.set(p + "a", "1"), "OK"));
      line("get", () -> expect(Arrays.asList(client.get(p + "a"), client.get(p + "none")), Arrays.asList("1", null)));
      line("incr", () -> expect(List.of(client.incr(p + "a"), client.incrBy(p + "a", 10), client.decr(p + "a")),
                                List.of(2L, 12L, 11L)));
      line("mget", () -> {
        client.mset(p + "b", "x", p + "c", "y");
        expect(client.mget(p + "b", p + "none", p + "c"), Arrays.asList("x", null, "y"));
      });
      line("expire", () -> expire(client, p + "b"));
      line("pipeline", () -> pipeline(client, p));
      line("transaction", () -> transaction(client, p));
    }
    subscribe(host, port);
  }
}
