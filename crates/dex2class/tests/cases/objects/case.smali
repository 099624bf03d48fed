.class public LObjects;
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

.method public static cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  .registers 4
  new-instance v0, Ljava/lang/StringBuilder;
  invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
  invoke-virtual {v0, p0}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
  const-string v1, "|"
  invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
  invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
  invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
  move-result-object v0
  return-object v0
.end method

.method public static tNewBackward()Ljava/lang/String;
  .registers 8
  goto :new
  :ctor
  const-string v1, "x"
  invoke-direct {v0, v1}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
  invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
  move-result-object v0
  return-object v0
  :new
  new-instance v0, Ljava/lang/StringBuilder;
  sget v1, LObjects;->n:I
  if-eqz v1, :ctor
  goto :ctor
.end method

.method public static tUninitCopies()Ljava/lang/String;
  .registers 8
  new-instance v0, Ljava/lang/StringBuilder;
  move-object v1, v0
  move-object v2, v1
  const-string v3, "q"
  invoke-direct {v1, v3}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
  invoke-static {v0, v2}, LObjects;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v0
  return-object v0
.end method

.method public static tUninitDropped()I
  .registers 8
  new-instance v0, Ljava/lang/StringBuilder;
  new-instance v0, Ljava/lang/StringBuilder;
  sget v1, LObjects;->n:I
  if-eqz v1, :e
  const-string v2, "in"
  invoke-direct {v0, v2}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
  :e
  const/4 v0, 3
  return v0
.end method

.method public static tUninitLoop()Ljava/lang/String;
  .registers 8
  const/4 v4, 0
  const-string v3, "q"
  :l
  new-instance v0, Ljava/lang/StringBuilder;
  move-object v1, v0
  :w
  add-int/lit8 v4, v4, 1
  const/4 v5, 3
  if-lt v4, v5, :w
  invoke-direct {v1, v3}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
  const/4 v5, 5
  invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
  move-result-object v3
  if-lt v4, v5, :l
  invoke-static {v3, v1}, LObjects;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v0
  return-object v0
.end method

.method public static tUninitNested()Ljava/lang/String;
  .registers 8
  new-instance v0, Ljava/lang/StringBuilder;
  new-instance v1, Ljava/lang/StringBuilder;
  const-string v2, "in"
  invoke-direct {v1, v2}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
  invoke-direct {v0, v1}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/CharSequence;)V
  invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
  move-result-object v0
  return-object v0
.end method

.method public static tUninitNested2()Ljava/lang/String;
  .registers 8
  new-instance v0, Ljava/lang/StringBuilder;
  new-instance v1, Ljava/lang/StringBuilder;
  const-string v2, "in"
  invoke-direct {v0, v2}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
  invoke-direct {v1, v0}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/CharSequence;)V
  invoke-static {v1, v0}, LObjects;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v0
  return-object v0
.end method

.method public static tUninitTry()Ljava/lang/Object;
  .registers 8
  const-string v3, "old"
  const/4 v4, 0
  :a
  new-instance v0, Ljava/lang/StringBuilder;
  invoke-static {v4}, LObjects;->boom(I)I
  move-result v5
  invoke-direct {v0, v3}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
  move-object v3, v0
  :b
  .catchall {:a .. :b} :h
  return-object v0
  :h
  move-exception v1
  invoke-static {v3, v1}, LObjects;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v0
  return-object v0
.end method
