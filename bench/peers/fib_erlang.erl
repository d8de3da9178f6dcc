%% fib with a process of Erlang for each call: it spawns two, adds up what they tell it, tells its parent and ends.
%%
%% Runs on as many schedulers as `erl` is started with, and prints the line of the other fib peers, without ticks.
-module(fib_erlang).
-export([main/0]).

call(N, Parent) when N =< 2 ->
    Parent ! 1;
call(N, Parent) ->
    Me = self(),
    spawn(fun() -> call(N - 1, Me) end),
    spawn(fun() -> call(N - 2, Me) end),
    receive A -> receive B -> Parent ! A + B end end.

fib(N) -> fib(N, 1, 0).
fib(N, Value, _) when N =< 1 -> Value;
fib(N, Value, Before) -> fib(N - 1, Value + Before, Value).

main() ->
    {N, Repetitions} = options(init:get_plain_arguments(), {20, 7}),
    Tasks = 2 * fib(N) - 1,
    Runs = [measured(N, Tasks) || _ <- lists:seq(0, Repetitions)],
    case lists:all(fun({Value, _}) -> Value =:= fib(N) end, Runs) of
        true ->
            Rates = lists:sort([Rate || {_, Rate} <- tl(Runs)]),
            line(N, Tasks, Rates);
        false ->
            io:format("{\"name\": \"fib\", \"peer\": \"erlang\", \"n\": ~b, \"verified\": false}~n", [N]),
            halt(1)
    end,
    halt(0).

measured(N, Tasks) ->
    Me = self(),
    Start = erlang:monotonic_time(nanosecond),
    spawn(fun() -> call(N, Me) end),
    receive Value -> {Value, Tasks * 1.0e9 / (erlang:monotonic_time(nanosecond) - Start)} end.

line(N, Tasks, Rates) ->
    Least = hd(Rates),
    Most = lists:last(Rates),
    Middle = (lists:nth((length(Rates) + 1) div 2, Rates) + lists:nth(length(Rates) div 2 + 1, Rates)) / 2,
    io:format("{\"name\": \"fib\", \"peer\": \"erlang\", \"pes\": ~b, \"n\": ~b, \"tasks\": ~b, \"verified\": true, "
              "\"tasks_per_second\": ~.6g, \"min\": ~.6g, \"max\": ~.6g, \"spread\": ~.4f, \"repetitions\": ~b}~n",
              [erlang:system_info(schedulers_online), N, Tasks, Middle, Least, Most, (Most - Least) / Middle, length(Rates)]).

options([], Chosen) -> Chosen;
options(["--n", N | Rest], {_, Repetitions}) -> options(Rest, {number(N, 60), Repetitions});
options(["--repetitions", R | Rest], {N, _}) -> options(Rest, {N, number(R, 1000)});
options(_, _) -> usage().

number(Text, Most) ->
    case string:to_integer(Text) of
        {Number, ""} when Number >= 1, Number =< Most -> Number;
        _ -> usage()
    end.

usage() ->
    io:format(standard_error, "usage: peer_fib_erlang [--n 1..60] [--repetitions 1..1000]: fib, one process a call~n", []),
    halt(2).
