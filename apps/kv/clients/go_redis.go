// The calls of the table by go-redis: HOST PORT PREFIX.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

var ctx = context.Background()

func expect(found, wanted any) error {
	if f, w := fmt.Sprint(found), fmt.Sprint(wanted); f != w {
		return fmt.Errorf("%s, expected %s", f, w)
	}
	return nil
}

// The value, or a text that no value has where there is none.
func orNone(value string, err error) (string, error) {
	if errors.Is(err, redis.Nil) {
		return "(none)", nil
	}
	return value, err
}

func setCall(c *redis.Client, p string) error {
	value, err := c.Set(ctx, p+"a", "1", 0).Result()
	return errors.Join(err, expect(value, "OK"))
}

func getCall(c *redis.Client, p string) error {
	a, err := orNone(c.Get(ctx, p+"a").Result())
	none, err2 := orNone(c.Get(ctx, p+"none").Result())
	return errors.Join(err, err2, expect([]string{a, none}, []string{"1", "(none)"}))
}

func incrCall(c *redis.Client, p string) error {
	one, err := c.Incr(ctx, p+"a").Result()
	two, err2 := c.IncrBy(ctx, p+"a", 10).Result()
	three, err3 := c.Decr(ctx, p+"a").Result()
	return errors.Join(err, err2, err3, expect([]int64{one, two, three}, []int64{2, 12, 11}))
}

func mgetCall(c *redis.Client, p string) error {
	err := c.MSet(ctx, p+"b", "x", p+"c", "y").Err()
	values, err2 := c.MGet(ctx, p+"b", p+"none", p+"c").Result()
	return errors.Join(err, err2, expect(values, []any{"x", nil, "y"}))
}

func expireCall(c *redis.Client, p string) error {
	set, err := c.Expire(ctx, p+"b", 100*time.Second).Result()
	left, err2 := c.TTL(ctx, p+"b").Result()
	kept, err3 := c.Persist(ctx, p+"b").Result()
	timed := left > 0 && left <= 100*time.Second
	return errors.Join(err, err2, err3, expect([]bool{set, timed, kept}, []bool{true, true, true}))
}

func pipelineCall(c *redis.Client, p string) error {
	gets := []*redis.StringCmd{}
	_, err := c.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for i := range 100 {
			pipe.Set(ctx, fmt.Sprint(p, "p", i), i, 0)
			gets = append(gets, pipe.Get(ctx, fmt.Sprint(p, "p", i)))
		}
		return nil
	})
	for i, get := range gets {
		err = errors.Join(err, expect(get.Val(), i))
	}
	return err
}

func transactionCall(c *redis.Client, p string) error {
	incrs := []*redis.IntCmd{}
	_, err := c.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		for i := range 10 {
			pipe.Set(ctx, fmt.Sprint(p, "t", i), i, 0)
			incrs = append(incrs, pipe.Incr(ctx, fmt.Sprint(p, "t", i)))
		}
		return nil
	})
	for i, incr := range incrs {
		err = errors.Join(err, expect(incr.Val(), i+1))
	}
	return err
}

func subscribeCall(c *redis.Client) error {
	channels := c.Subscribe(ctx, "news")
	defer channels.Close()
	_, err := channels.ReceiveTimeout(ctx, 10*time.Second)
	return err
}

func main() {
	client := redis.NewClient(&redis.Options{Addr: os.Args[1] + ":" + os.Args[2]})
	defer client.Close()
	calls := []struct {
		name string
		call func(*redis.Client, string) error
	}{{"set", setCall}, {"get", getCall}, {"incr", incrCall}, {"mget", mgetCall}, {"expire", expireCall},
		{"pipeline", pipelineCall}, {"transaction", transactionCall}}
	for _, one := range calls {
		said := "ok"
		if err := one.call(client, os.Args[3]); err != nil {
			said = strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		fmt.Println(one.name + "\t" + said)
	}
	if err := subscribeCall(client); err != nil {
		fmt.Println("pub/sub\trefused\t" + err.Error())
	} else {
		fmt.Println("pub/sub\twas not refused")
	}
}
