.class public LHandlers;
.super Ljava/lang/Object;

.field public static n:I

.method public static boom(I)I
  .registers 2
  if-nez p0, :ok
  new-instance v0, Ljava/lang/IllegalStateException;
  invoke-direct {v0}, Ljava/lang/IllegalStateException;-><init>()V
  throw v0
  :ok
  return p0
.end method

.method public static tAdjacent()I
  .registers 8
  const/4 v0, 0
  const/4 v1, 0
  :a
  invoke-static {v0}, LHandlers;->boom(I)I
  :b
  :c
  const/4 v1, 5
  invoke-static {v1}, LHandlers;->boom(I)I
  :d
  .catch Ljava/lang/IllegalStateException; {:a .. :b} :h
  .catch Ljava/lang/IllegalStateException; {:c .. :d} :g
  return v1
  :h
  add-int/lit8 v1, v1, 3
  :e
  invoke-static {v0}, LHandlers;->boom(I)I
  :f
  .catchall {:e .. :f} :g
  return v1
  :g
  move-exception v2
  add-int/lit8 v1, v1, 10
  return v1
.end method

.method public static tCatchOrder()I
  .registers 8
  const/4 v0, 0
  :a
  invoke-static {v0}, LHandlers;->boom(I)I
  :b
  .catch Ljava/lang/RuntimeException; {:a .. :b} :g
  .catch Ljava/lang/IllegalStateException; {:a .. :b} :h
  return v0
  :h
  const/4 v0, 1
  return v0
  :g
  const/4 v0, 2
  return v0
.end method

.method public static tHandlerJumpToo()I
  .registers 8
  const/4 v0, 4
  const/4 v1, 0
  sget v2, LHandlers;->n:I
  if-nez v2, :h
  :a
  invoke-static {v1}, LHandlers;->boom(I)I
  add-int/lit8 v0, v0, 1
  invoke-static {v1}, LHandlers;->boom(I)I
  :b
  .catch Ljava/lang/IllegalStateException; {:a .. :b} :h
  .catch Ljava/lang/Error; {:a .. :b} :h
  const/4 v0, 1
  :h
  add-int/lit8 v0, v0, 10
  return v0
.end method

.method public static tHandlerKinds()I
  .registers 8
  const/4 v1, 1
  const/4 v2, 0
  const/4 v0, 4
  :a
  invoke-static {v1}, LHandlers;->boom(I)I
  const/4 v0, 0
  const-string v0, "str"
  invoke-virtual {v0}, Ljava/lang/String;->length()I
  move-result v0
  invoke-static {v2}, LHandlers;->boom(I)I
  const-wide v0, 5
  :b
  .catchall {:a .. :b} :h
  return v2
  :h
  move-exception v3
  const/16 v0, 9
  return v0
.end method

.method public static tHandlerLoop()I
  .registers 8
  const/4 v0, 0
  :h
  add-int/lit8 v0, v0, 1
  const/4 v1, 5
  if-gt v0, v1, :e
  const/4 v1, 0
  :a
  invoke-static {v1}, LHandlers;->boom(I)I
  :b
  .catchall {:a .. :b} :h
  :e
  return v0
.end method

.method public static tHandlerOld()I
  .registers 8
  const/4 v0, 4
  const/4 v1, 0
  :a
  invoke-static {v1}, LHandlers;->boom(I)I
  move-result v0
  :b
  .catchall {:a .. :b} :h
  return v0
  :h
  return v0
.end method

.method public static tNamed2()Ljava/lang/String;
  .registers 8
  const-string v7, "zz"
  const/4 v3, 1
  const/4 v6, 0
  invoke-static {v3}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
  move-result-object v5
  move-object v0, v7
  :a
  invoke-static {v3}, LHandlers;->boom(I)I
  move-object v0, v5
  .local v0, "x":Ljava/lang/Integer;
  nop
  .end local v0
  move-object v0, v7
  .local v0, "s":Ljava/lang/String;
  invoke-static {v6}, LHandlers;->boom(I)I
  :b
  .catchall {:a .. :b} :h
  return-object v0
  :h
  invoke-virtual {v0}, Ljava/lang/String;->length()I
  return-object v0
.end method

.method public static tOuterNotCovered()I
  .registers 8
  const/4 v0, 0
  const/4 v1, 1
  :a
  invoke-static {v1}, LHandlers;->boom(I)I
  :b
  invoke-static {v0}, LHandlers;->boom(I)I
  :c
  invoke-static {v1}, LHandlers;->boom(I)I
  :d
  .catchall {:a .. :b} :h
  .catchall {:c .. :d} :h
  return v1
  :h
  const/4 v1, 4
  return v1
.end method
