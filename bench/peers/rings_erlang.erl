%% Rings of processes of Erlang that are made and end: each knows the one before it, tells it to end, and ends.
%%
%% Erlang does not collect processes: somebody tells the last of a ring that it is not needed any more. Runs on as many
%% schedulers as `erl` is started with.
-module(rings_erlang).
-export([main/0]).

first(Main) -> receive stop -> Main ! ended end.

member(Before) -> receive stop -> Before ! stop end.

chain(0, Last) -> Last;
chain(Left, Before) -> chain(Left - 1, spawn(fun() -> member(Before) end)).

rings(0, _) -> ok;
rings(Left, Length) ->
    Main = self(),
    Last = chain(Length - 1, spawn(fun() -> first(Main) end)),
    Last ! stop,
    rings(Left - 1, Length).

ended(0) -> ok;
ended(Left) -> receive ended -> ended(Left - 1) end.

measured(Rings, Length) ->
    Start = erlang:monotonic_time(nanosecond),
    rings(Rings, Length),
    ended(Rings),
    Rings * Length * 1.0e9 / (erlang:monotonic_time(nanosecond) - Start).

main() ->
    {Rings, Length, Repetitions} = options(init:get_plain_arguments(), {1000, 1000, 3}),
    Rates = lists:sort([measured(Rings, Length) || _ <- lists:seq(1, Repetitions)]),
    io:format("{\"name\": \"rings\", \"peer\": \"erlang\", \"pes\": ~b, \"rings_objects_per_second\": ~.6g, \"repetitions\": ~b}~n",
              [erlang:system_info(schedulers_online), lists:nth((Repetitions + 1) div 2, Rates), Repetitions]),
    halt(0).

options([], Chosen) -> Chosen;
options(["--rings", N | Rest], {_, L, R}) -> options(Rest, {number(N), L, R});
options(["--length", N | Rest], {G, _, R}) -> options(Rest, {G, number(N), R});
options(["--repetitions", N | Rest], {G, L, _}) -> options(Rest, {G, L, number(N)});
options(_, _) -> usage().

number(Text) ->
    case string:to_integer(Text) of
        {Number, ""} when Number >= 1 -> Number;
        _ -> usage()
    end.

usage() ->
    io:format(standard_error, "usage: peer_rings_erlang [--rings N] [--length N] [--repetitions N]: rings of processes~n", []),
    halt(2).
